/* expect: parallel rotation-2d unordered
 * keys: 2
 * guard: the rows of W do not run into those of W + words
 */
/* rows of K + 1, counted from 1, the bias behind them */
void pass(double *W, const int *a, const int *b, long n, int K, int words) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        long l1 = (a[i] - 1L) * (K + 1), l2 = ((b[i] - 1L) + words) * (K + 1);
        double e = W[K + l1] + W[K + l2];
        for (int k = 0; k < K; ++k)
            e += W[k + l1] * W[k + l2];
        for (int k = 0; k < K; ++k) {
            double t = W[k + l1];
            W[k + l1] -= e * W[k + l2];
            W[k + l2] -= e * t;
        }
        W[K + l1] -= e;
        W[K + l2] -= e;
    }
}
