/* expect: serial ORR2211 9:9 `fprintf(` */
/* output has an order, and what text prints nobody knows before */
#include <stdio.h>

void show(FILE *to, char *const *name, float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = 2 * in[n];
        fprintf(to, "%s %g\n", name[n], out[n]);
    }
}
