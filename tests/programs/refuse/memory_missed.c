/* expect: serial ORR2217 11:13 `exit(` */
/* what happens where malloc gives nothing is more than an end of the program */
#include <stdlib.h>

void pass(float *x, long count) {
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        float *own = malloc(2 * sizeof *own);
        if (!own) {
            x[0] = 1;
            exit(1);
        }
        own[1] = x[n];
        x[n] = own[1] * 2;
        free(own);
    }
}
