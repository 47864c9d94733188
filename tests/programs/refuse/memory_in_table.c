/* expect: serial ORR2216 8:20 `malloc(` */
/* a table whose rows stay behind */
#include <stdlib.h>

void pass(float **rows, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *t = malloc(8 * sizeof *t), *second = t + 4;
        rows[n] = second;
    }
}
