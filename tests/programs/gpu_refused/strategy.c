/* expect: ORR2460 8 */
#include <math.h>

enum { D = 24 };
double mean[D], weights[D], trend[D];
void online(const double *restrict raw, const double *restrict y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double x[D], p = 0;
        for (int k = 0; k < D; ++k) {
            double d = raw[i * D + k] - mean[k];
            mean[k] += d * .01;
            x[k] = d;
        }
        for (int k = 0; k < D; ++k)
            p += weights[k] * tanh(x[k]);
        const double e = y[i] - p;
        for (int k = 0; k < D; ++k)
            weights[k] += .01 * e * x[k];
        for (int k = 0; k < D; ++k)
            trend[k] = .9 * trend[k] + fabs(e) / (1 + fabs(x[k]));
    }
}
