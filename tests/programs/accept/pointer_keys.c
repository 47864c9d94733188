/* expect: parallel rotation-2d unordered
 * dims: p->user, p->item
 * carried W: p->user=0
 * carried H: p->item=0
 */
struct rating {
    int user, item;
    float value;
};

void pass(const struct rating *r, const struct rating *end, float *W, float *H, int K) {
#pragma orrery parallel unordered
    for (const struct rating *p = r; p != end; ++p) {
        float *w = W + p->user * K, *h = H + p->item * K;
        for (int k = 0; k < K; ++k) {
            float t = w[k];
            w[k] += p->value * h[k];
            h[k] += p->value * t;
        }
    }
}
