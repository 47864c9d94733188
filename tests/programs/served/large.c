/*
 * A model of FEATURES floats that is never touched by serial code: each rank has its part, and what
 * its chunks touch. Says the most memory that a rank had, which a limit on each would have to
 * allow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096, LENGTH = 16 };

static unsigned long long state = 7;

static unsigned draw(unsigned below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % below;
}

static double pass(const int *feature, const float *y, float *w, long n) {
    double loss = 0;
#pragma orrery parallel unordered relax(w) grid(16, 1) sync(iterations = 32)
    for (long i = 0; i < n; ++i) {
        float z = 0;
        for (long p = i * LENGTH; p < (i + 1) * LENGTH; ++p)
            z += w[feature[p]];
        float g = z - y[i];
        loss += g * g;
        for (long p = i * LENGTH; p < (i + 1) * LENGTH; ++p)
            w[feature[p]] -= .02f * (g + .001f * w[feature[p]]);
    }
    return loss;
}

int main(int argc, char **argv) {
    long features = argc > 1 ? atol(argv[1]) : 1000000;
    int *feature = malloc(sizeof(int) * N * LENGTH);
    float *w = calloc((size_t)features, sizeof *w), *y = malloc(sizeof(float) * N);
    for (long p = 0; p < N * LENGTH; ++p)
        feature[p] = (int)((unsigned long)draw(1U << 30) * (unsigned long)features >> 30);
    for (long i = 0; i < N; ++i)
        y[i] = (float)draw(2);
    for (int k = 0; k < 4; ++k)
        printf("loss %.9g\n", pass(feature, y, w, N));
    return 0;
}
