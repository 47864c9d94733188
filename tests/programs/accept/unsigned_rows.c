/* expect: parallel rotation-2d unordered
 * dims: r[i].user, r[i].item
 */
struct rating {
    unsigned user, item;
    float value;
};

void train(float *restrict W, float *restrict H, const struct rating *r, long n, unsigned K) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        unsigned u = r[i].user * K, v = r[i].item * K;
        float e = r[i].value;
        for (unsigned k = 0; k < K; ++k)
            e -= W[u + k] * H[v + k];
        for (unsigned k = 0; k < K; ++k) {
            float w = W[u + k];
            W[u + k] += e * H[v + k];
            H[v + k] += e * w;
        }
    }
}
