/* expect: parallel rotation-2d unordered
 * dims: r[n].user, r[n].item
 * carried W: r[n].user=0
 * carried H: r[n].item=0
 * reductions: + loss
 * private: none
 * placed: W H
 */
struct rating {
    int user, item;
    float value;
};

double pass(const struct rating *r, float *W, float *H, int K, long count, float rate,
            float lambda) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *w = W + (long)r[n].user * K, *h = H + (long)r[n].item * K;
        float e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float wk = w[k];
            w[k] += rate * (e * h[k] - lambda * wk);
            h[k] += rate * (e * wk - lambda * h[k]);
        }
    }
    return loss;
}
