/* expect: serial ORR2470 13:13 `state[k]` */
#include <math.h>

enum { D = 64 };

static double w[D], state[D];

void train(long count, const double *restrict x, double *restrict trace) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        double e = 0;
        for (int k = 0; k < D; ++k)
            state[k] = .9 * state[k] + sqrt(x[n * D + k]);
        for (int k = 0; k < D; ++k)
            e += w[k] * sqrt(state[k]);
        trace[n] = e;
    }
}
