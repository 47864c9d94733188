/* expect: parallel independent ordered
 * private: t
 * guards: some
 * carried: none
 */
static void spread(float *t, float x, int K) {
    for (int k = 0; k < K; ++k)
        t[k] = x * k;
}

float last(const float *restrict x, float *restrict out, float *restrict t, int K, long rows) {
#pragma orrery parallel
    for (long n = 0; n < rows; ++n) {
        spread(t, x[n], K);
        out[n] = t[0] + t[K - 1];
    }
    return t[1];
}
