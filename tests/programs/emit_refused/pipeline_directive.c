/* ORR2474 */
#include <math.h>

enum { D = 64, H = 32 };

static double mean[D], w[D], v[H * D], state[D];

void train(long count, double rate, const double *restrict x, const double *restrict raw,
           const double *restrict y, double *restrict trace, const int *restrict skip) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        double x[D];
        for (int k = 0; k < D; ++k) {
            mean[k] += rate * (raw[n * D + k] - mean[k]);
            x[k] = raw[n * D + k] - mean[k];
        }
#pragma GCC ivdep
        for (int k = 0; k < D; ++k)
            w[k] += rate * x[k] * w[k];
    }
}
