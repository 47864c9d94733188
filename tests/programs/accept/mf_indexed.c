/* expect: parallel rotation-2d unordered
 * dims: r[n].user, r[n].item
 * carried W: r[n].user=0
 * carried H: r[n].item=0
 * private: e
 */
struct rating {
    int user, item;
    float value;
};

void pass(const struct rating *r, float *W, float *H, int K, long count, float rate) {
    float e;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[r[n].user * K + k] * H[r[n].item * K + k];
        for (int k = 0; k < K; ++k) {
            float wk = W[r[n].user * K + k];
            W[r[n].user * K + k] += rate * e * H[r[n].item * K + k];
            H[r[n].item * K + k] += rate * e * wk;
        }
    }
}
