/* expect: parallel rotation-2d unordered
 * dims: r[n].user, r[n].item
 * carried W: r[n].user=0
 * carried bu: r[n].user=0
 * carried H: r[n].item=0
 * carried bi: r[n].item=0
 * reductions: + loss
 */
struct rating {
    int user, item;
    float value;
};

double pass(const struct rating *r, float *W, float *H, float *bu, float *bi, float mean, int K,
            long count) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        const struct rating *one = &r[n];
        float *w = W + (long)one->user * K, *h = H + (long)one->item * K;
        float e = one->value - mean - bu[one->user] - bi[one->item];
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        bu[one->user] += .01f * (e - bu[one->user]);
        bi[one->item] += .01f * (e - bi[one->item]);
        for (int k = 0; k < K; ++k) {
            float wk = w[k];
            w[k] += .01f * e * h[k];
            h[k] += .01f * e * wk;
        }
    }
    return loss;
}
