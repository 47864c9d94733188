/* expect: serial ORR2205 11:9 `own[1][0]` */
/* memory of an iteration's own that holds an address of the loop's data */
#include <stdlib.h>

void pass(float *x, long count) {
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        float **own = malloc(2 * sizeof *own);
        own[0] = malloc(sizeof **own);
        own[1] = &x[n - 1];
        own[1][0] = x[n];
        free(own[0]);
        free(own);
    }
}
