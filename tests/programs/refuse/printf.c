/* expect: serial ORR2211 9:9 `fprintf(` */
/* output has an order */
#include <stdio.h>

void show(FILE *to, float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = 2 * in[n];
        fprintf(to, "%ld %g\n", n, out[n]);
    }
}
