/* ORR2210 */
#include <stdlib.h>

/* One of the numbers in [0, 1). */
static double uniform(void) {
    return rand() / (RAND_MAX + 1.0);
}

static double normal(void) {
    double s = 0;
    for (int k = 0; k < 12; ++k)
        s += uniform();
    return s - 6;
}

void noise(float *W, long count, int epochs) {
    while (epochs-- > 0) {
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n)
            W[n] += (float)normal() * (float)drand48();
    }
}
