/* expect: serial ORR2472 13:9 `if (skip[n])` */
#include <math.h>

enum { D = 64, H = 32 };

static double mean[D], w[D], v[H * D], state[D];

void train(long count, double rate, const double *restrict x, const double *restrict raw,
           const double *restrict y, double *restrict trace, const int *restrict skip) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        double x[D];
        if (skip[n])
            continue;
        rate *= .999;
        for (int k = 0; k < D; ++k) {
            mean[k] += rate * (raw[n * D + k] - mean[k]);
            x[k] = raw[n * D + k] - mean[k];
        }
        for (int k = 0; k < D; ++k)
            w[k] += rate * x[k] * w[k];
    }
}
