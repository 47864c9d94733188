/* expect: parallel pipeline ordered
 * carried count: i=+
 * carried mean: i=+
 * carried spread: i=+
 * carried weights: i=+
 * carried trend: i=+
 */
#include <math.h>

enum { D = 24 };

static double mean[D], spread[D], weights[D], trend[D];

/* Three stages: statistics, a model, what it is off by. */
double online(const double *restrict raw, const double *restrict y, long n) {
    double count = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double x[D], p = 0;
        count += 1;
        for (int k = 0; k < D; ++k) {
            double d = raw[i * D + k] - mean[k];
            mean[k] += d / count;
            spread[k] += d * (raw[i * D + k] - mean[k]);
            x[k] = d / sqrt(1e-3 + spread[k] / count);
        }
        for (int k = 0; k < D; ++k)
            p += weights[k] * tanh(x[k]);
        const double e = y[i] - p;
        for (int k = 0; k < D; ++k)
            weights[k] += .01 * e * x[k];
        for (int k = 0; k < D; ++k)
            trend[k] = .9 * trend[k] + fabs(e) / (1 + fabs(x[k]));
    }
    return count;
}
