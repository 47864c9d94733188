/* expect: parallel rotation-2d unordered
 * keys: 2
 * reductions: + loss
 */
struct rating {
    int user, item;
    float value;
};

struct model {
    int k;
    float *W, *H;
};

double pass(const struct rating *r, long count, struct model *m) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *w = m->W + (long)r[n].user * m->k, *h = m->H + (long)r[n].item * m->k;
        float e = r[n].value;
        for (int k = 0; k < m->k; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < m->k; ++k) {
            float wk = w[k];
            w[k] += .01f * e * h[k];
            h[k] += .01f * e * wk;
        }
    }
    return loss;
}
