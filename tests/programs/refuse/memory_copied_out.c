/* expect: serial ORR2216 9:23 `malloc(` */
/* the rows' addresses leave with the bytes that hold them */
#include <stdlib.h>
#include <string.h>

void pass(float **rows, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float **own = malloc(sizeof *own);
        own[0] = malloc(8 * sizeof **own);
        memcpy(&rows[n], own, sizeof *own);
        free(own);
    }
}
