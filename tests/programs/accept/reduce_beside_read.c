/* expect: parallel reduction ordered
 * reductions: + weights[0]
 * private: weights[2]
 */
static double weights[8];

void fit(const double *x, double *out, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        weights[0] += x[n] * weights[1];
        weights[2] = x[n] - weights[1];
        out[n] = weights[2] * weights[2];
    }
}
