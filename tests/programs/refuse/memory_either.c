/* expect: serial ORR2216 13:9 `own[0]` */
/* says: may not have from `malloc` */
/* an address that is the iteration's own, or not, among others that are */
#include <stdlib.h>

void pass(float *x, const int *which, long count) {
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        float **own = malloc(2 * sizeof *own);
        float *one = malloc(sizeof *one);
        if (which[n])
            one = &x[n - 1];
        own[0] = one;
        own[0][0] = x[n];
    }
}
