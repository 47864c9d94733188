/* expect: serial ORR2471 12:9 `for (int k = 0; k < D; ++k) {` */
#include <math.h>

enum { D = 64 };

static double w[D], state[D];

void train(long count, const double *restrict x, double *restrict trace) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        double e = 0, now[D];
        for (int k = 0; k < D; ++k) {
            state[k] = .9 * state[k] + sqrt(fabs(x[n * D + k]));
            now[k] = state[k];
        }
        for (int k = 0; k < D; ++k)
            e += w[k] * now[k] / (1 + now[k]);
        trace[n] = e;
    }
}
