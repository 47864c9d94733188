/* expect: serial ORR2205 9:9 `errno =` */
/* one errno for all */
#include <errno.h>

void clear(float *out, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = errno;
        errno = (int)n;
    }
}
