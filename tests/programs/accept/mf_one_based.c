/* expect: parallel rotation-2d unordered
 * keys: 2
 */
void pass(const int *u, const int *i, const double *v, double *W, double *H, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        double *w = &W[(u[n] - 1) * K], *h = &H[(i[n] - 1) * K];
        double e = v[n];
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        for (int k = 0; k < K; ++k) {
            double wk = w[k];
            w[k] += .01 * e * h[k];
            h[k] += .01 * e * wk;
        }
    }
}
