/*
 * Sparse regression with FEATURES weights, of which each of EXAMPLES examples touches LENGTH: what
 * a pass takes. With a third word the indices are written before every pass (with what they were).
 *
 *   prefetch EXAMPLES PASSES [fresh]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEATURES = 1000000, LENGTH = 30 };

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned long long state = 7;

static unsigned draw(unsigned below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % below;
}

static double pass(const int *feature, const float *value, const float *y, float *w, long n) {
    double loss = 0;
#pragma orrery parallel unordered relax(w) grid(16, 1) sync(iterations = 256)
    for (long i = 0; i < n; ++i) {
        float z = 0;
        for (long p = i * LENGTH; p < (i + 1) * LENGTH; ++p)
            z += w[feature[p]] * value[p];
        float g = z - y[i];
        loss += g * g;
        for (long p = i * LENGTH; p < (i + 1) * LENGTH; ++p)
            w[feature[p]] -= .02f * (g * value[p] + .001f * w[feature[p]]);
    }
    return loss;
}

int main(int argc, char **argv) {
    long n = argc > 2 ? atol(argv[1]) : 4096, passes = argc > 2 ? atol(argv[2]) : 3;
    int *feature = malloc((size_t)n * LENGTH * sizeof *feature);
    float *value = malloc((size_t)n * LENGTH * sizeof *value), *y = malloc((size_t)n * sizeof *y);
    float *w = calloc(FEATURES, sizeof *w);
    for (long p = 0; p < n * LENGTH; ++p) {
        feature[p] = (int)draw(FEATURES);
        value[p] = (float)draw(5) / 4 - .5f;
    }
    for (long i = 0; i < n; ++i)
        y[i] = (float)draw(2);
    for (long k = 0; k < passes; ++k) {
        double begin = seconds();
        if (argc > 3)
            *(volatile int *)&feature[k] = feature[k];
        double loss = pass(feature, value, y, w, n);
        printf("pass %ld loss %.9g seconds %.6f\n", k, loss, seconds() - begin);
    }
    return 0;
}
