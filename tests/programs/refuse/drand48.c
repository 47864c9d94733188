/* expect: serial ORR2210 8:18 `drand48()` */
/* hidden state in the library */
#include <stdlib.h>

void noise(double *out, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = drand48();
}
