/* expect: parallel partition-1d unordered
 * dims: u[n]
 * carried W: u[n]=0
 * carried G: u[n]=0
 */
#include <math.h>

void adagrad(float *W, float *G, const int *u, const float *g, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        G[u[n]] = G[u[n]] * .99f + g[n] * g[n];
        W[u[n]] -= .1f * g[n] / sqrtf(G[u[n]]);
    }
}
