/* expect: serial ORR2211 9:9 `printf(` */
/* output has an order */
#include <stdio.h>

void show(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = 2 * in[n];
        printf("%ld %g\n", n, out[n]);
    }
}
