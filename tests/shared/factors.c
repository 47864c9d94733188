/* A pass of matrix factorization, for programs and libraries. */
struct rating {
    int user, item;
    float value;
};

double epoch(const struct rating *r, long n, float *W, float *H, int K, float rate) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)r[i].user * K, *h = H + (long)r[i].item * K, e = r[i].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        for (int k = 0; k < K; ++k) {
            float a = w[k], b = h[k];
            w[k] += rate * (e * b - .02f * a);
            h[k] += rate * (e * a - .02f * b);
        }
        loss += e * e;
    }
    return loss;
}
