/* expect: parallel rotation-2d unordered
 * dims: r[n].user, r[n].item
 * carried W: r[n].user=0
 * carried H: r[n].item=0
 * guards: some
 */
struct rating {
    int user, item;
    float value;
};

void pass(const struct rating *r, float **W, float **H, int K, long count, float rate) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[r[n].user][k] * H[r[n].item][k];
        for (int k = 0; k < K; ++k) {
            float wk = W[r[n].user][k];
            W[r[n].user][k] += rate * e * H[r[n].item][k];
            H[r[n].item][k] += rate * e * wk;
        }
    }
}
