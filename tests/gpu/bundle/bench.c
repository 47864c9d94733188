/*
 * Stochastic gradient descent on generated ratings of the shape of Netflix's: 480,189 users, 17,770
 * items, 100 million ratings, both by a power law.
 * usage: bench RANK RATINGS PASSES [COPY_GB_PER_S]
 */
#include "generate.h"

struct rating {
    int user, item;
    float value;
};

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 32, passes = argc > 3 ? atoi(argv[3]) : 3;
    long count = argc > 2 ? atol(argv[2]) : 1000000;
    double copy = argc > 4 ? atof(argv[4]) : 0, best = INFINITY;
    int users = count < 1000000 ? 2000 : 480189, items = count < 1000000 ? 400 : 17770;
    float rate = .005f, lambda = .05f;
    struct rating *r = malloc((size_t)count * sizeof *r);
    float *W = malloc(sizeof(float) * (size_t)users * (size_t)K);
    float *H = malloc(sizeof(float) * (size_t)items * (size_t)K);
    if (K < 1 || !r || !W || !H)
        return 2;
    for (long n = 0; n < count; ++n) {
        r[n].user = draw((uint64_t)n * 3, users);
        r[n].item = draw((uint64_t)n * 3 + 1, items);
        r[n].value = (float)(1 + 4 * uniform((uint64_t)n * 3 + 2));
    }
    for (long i = 0; i < (long)users * K; ++i)
        W[i] = (float)(uniform((uint64_t)i) * 2 / sqrt(K));
    for (long i = 0; i < (long)items * K; ++i)
        H[i] = (float)(uniform((uint64_t)i * 5) * 2 / sqrt(K));
    for (int pass = 0; pass < passes; ++pass) {
        double loss = 0, start = now();
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n) {
            float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
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
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        printf("rank %d pass %d rmse %.4f seconds %.4f\n", K, pass + 1, sqrt(loss / (double)count),
               seconds);
    }
    /* Both rows are read and written once per rating, the record is read. */
    double bytes = (double)count * (16.0 * K + 12);
    char name[64];
    snprintf(name, sizeof name, "mf rank %d ratings %ld", K, count);
    report(name, "updates", (double)count, best, bytes, copy);
    free(r), free(W), free(H);
    return 0;
}
