/* expect: serial ORR2470 16:25 `v[j * D + k]` */
#include <math.h>

enum { D = 64, H = 32 };

static double mean[D], w[D], v[H * D], state[D];

void train(long count, double rate, const double *restrict x, const double *restrict raw,
           const double *restrict y, double *restrict trace, const int *restrict skip) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        double h[H], e = y[n];
        for (int j = 0; j < H; ++j) {
            h[j] = 0;
            for (int k = 0; k < D; ++k)
                h[j] += v[j * D + k] * x[n * D + k];
        }
        for (int j = 0; j < H; ++j)
            e -= w[j] * h[j];
        for (int j = 0; j < H; ++j)
            for (int k = 0; k < D; ++k)
                v[j * D + k] += rate * e * w[j] * x[n * D + k];
    }
}
