/* expect: serial ORR2216 11:20 `keep(` */
/* memory that a called function keeps for later */
#include <stdlib.h>

static float *kept;
static float *keep(void) { return kept = malloc(sizeof *kept); }

void pass(float *x, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *t = keep();
        *t = x[n];
        x[n] = *t;
    }
}
