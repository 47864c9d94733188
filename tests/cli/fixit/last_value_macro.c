/* ORR2113 */
#include <orrery.h>

int last(float *W, const int *u, long count) {
    int seen = 0;
    ORRERY_PARALLEL(grid(4, 4))
    for (long n = 0; n < count; ++n) {
        seen = u[n];
        W[seen] = W[seen] * 0.5f + 1;
    }
    return seen;
}
