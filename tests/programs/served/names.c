/* Loops that call their variable alike, around a served element. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 500, EACH = 6, M = 40000 };

int main(void) {
    long *begin = malloc((N + 1) * sizeof *begin);
    int *feature = malloc(N * EACH * sizeof *feature);
    float *w = calloc(M, sizeof *w);
    unsigned state = 1;
    for (long i = 0; i <= N; ++i)
        begin[i] = i * EACH;
    for (long p = 0; p < N * EACH; ++p) {
        state = state * 1664525u + 1013904223u;
        feature[p] = (int)((state >> 8) % (M - 2));
    }
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel unordered relax(w) CLAUSES
        for (long i = 0; i < N; ++i)
            for (long p = begin[i]; p < begin[i + 1]; ++p) {
                int q = feature[p];
                for (int p = 0; p < 2; ++p)
                    w[q + p] += .5f - w[q] * .25f;
            }
    }
    double sum = 0;
    for (int i = 0; i < M; ++i)
        sum += w[i] * (float)(i % 7 + 1);
    printf("%.17g\n", sum);
    return 0;
}
