/* expect: serial ORR???? 0:0 `errno =` */
/* one errno for all */
#include <errno.h>

void clear(float *out, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = errno;
        errno = (int)n;
    }
}
