/*
 * Sparse logistic regression on generated examples: the weights are relaxed.
 * usage: bench_slr EXAMPLES PASSES [COPY_GB_PER_S]
 */
#include "generate.h"

enum { EACH = 40 };

static double pass(long count, const long *begin, const int *feature, const float *value,
                   const float *label, float *w) {
    float rate = .02f, lambda = 1e-5f;
    double loss = 0;
#pragma orrery parallel unordered relax(w) grid(512, 1)
    for (long i = 0; i < count; ++i) {
        float score = 0;
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            score += w[feature[p]] * value[p];
        float g = label[i] - 1 / (1 + expf(-score));
        loss += g * g;
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            w[feature[p]] += rate * (g * value[p] - lambda * w[feature[p]]);
    }
    return loss / (double)count;
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 10000;
    int passes = argc > 2 ? atoi(argv[2]) : 1, features = count >= 1000000 ? 100000 : 500;
    double copy = argc > 3 ? atof(argv[3]) : 0, best = INFINITY;
    long *begin = make((size_t)count + 1, sizeof *begin);
    int *feature = make((size_t)count * EACH, sizeof *feature);
    float *value = make((size_t)count * EACH, sizeof *value);
    float *label = make((size_t)count, sizeof *label), *w = make((size_t)features, sizeof *w);
    for (long p = 0; p < count * EACH; ++p) {
        feature[p] = draw((uint64_t)p * 2, features);
        value[p] = (float)uniform((uint64_t)p * 2 + 1);
    }
    for (long i = 0; i < count; ++i) {
        begin[i + 1] = (i + 1) * EACH;
        label[i] = feature[i * EACH] % 2 ? 1 : 0;
    }
    for (int p = 0; p < passes; ++p) {
        double start = now(), loss = pass(count, begin, feature, value, label, w);
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        printf("slr pass %d loss %.4f seconds %.4f\n", p + 1, loss, seconds);
    }
    report("slr nonzeros 40", "examples", (double)count, best, (double)count * (EACH * 16.0 + 12),
           copy);
    free(begin), free(feature), free(value), free(label), free(w);
    return 0;
}
