/* expect: parallel partition-1d unordered */
/* which of two rows depends on the data */
void pass(float *W, const int *a, const int *b, const float *v, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *w = W + a[n] * K;
        if (v[n] > 0)
            w = W + b[n] * K;
        w[0] = w[0] * .5f + v[n];
    }
}
