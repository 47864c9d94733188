/* expect: parallel rotation-2d unordered
 * keys: 2
 */
struct rating {
    int user, item;
    float value;
};

void pass(const struct rating *r, const int *order, float *W, float *H, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        int i = order[n];
        float *w = W + (long)r[i].user * K, *h = H + (long)r[i].item * K;
        float e = r[i].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        for (int k = 0; k < K; ++k) {
            float wk = w[k];
            w[k] += .01f * e * h[k];
            h[k] += .01f * e * wk;
        }
    }
}
