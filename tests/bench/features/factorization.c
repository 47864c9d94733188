/* Matrix factorization: rows of two tables, chosen by the data. */
struct rating {
    int user, item;
    float value;
};
void kernel(float *restrict W, float *restrict H, const struct rating *restrict r, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)r[i].user * 32, *h = H + (long)r[i].item * 32, e = r[i].value;
        for (int k = 0; k < 32; ++k)
            e -= w[k] * h[k];
        for (int k = 0; k < 32; ++k) {
            float old = w[k];
            w[k] += e * h[k];
            h[k] += e * old;
        }
    }
}
