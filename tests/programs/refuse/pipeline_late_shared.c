/* expect: serial ORR2480 26:13 `shift[j]` */
#include <math.h>

enum { D = 64, H = 48 };

static double V[H * D], shift[H], w[H];

void train(long count, double rate, const double *restrict x, const double *restrict y) {
#pragma orrery parallel relax(V)
    for (long n = 0; n < count; ++n) {
        double h[H], g[H], e = y[n];
        for (int j = 0; j < H; ++j) {
            h[j] = shift[j];
            for (int k = 0; k < D; ++k)
                h[j] += V[j * D + k] * x[n * D + k];
        }
        for (int j = 0; j < H; ++j)
            e -= w[j] * sqrt(fabs(h[j])) * exp(-h[j]) / (1 + h[j] * h[j]);
        for (int j = 0; j < H; ++j)
            g[j] = e * w[j] / (1 + exp(-h[j]));
        for (int j = 0; j < H; ++j)
            w[j] += rate * e * h[j];
        for (int j = 0; j < H; ++j) {
            for (int k = 0; k < D; ++k)
                V[j * D + k] += rate * g[j] * x[n * D + k];
            shift[j] += rate * g[j];
        }
    }
}
