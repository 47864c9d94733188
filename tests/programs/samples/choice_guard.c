/* Rows as wide as the loop has iterations, or not: the number of iterations is a choice by the sign
 * of n, which the check has to take as a whole. */
#include <stdio.h>
#include <stdlib.h>

static unsigned fold(int *restrict q, const int *restrict v, int n, int width) {
    unsigned s = ~0u;
#pragma orrery parallel
    for (long i = 0; i < n - i; ++i) {
        q[i] = v[i];
        if (i)
            s &= (unsigned)q[i * width + 1];
    }
    return s;
}

int main(int argc, char **argv) {
    enum { N = 200, WIDE = 200 };
    int *q = calloc(N * WIDE, sizeof *q), *v = malloc(N * sizeof *v);
    for (int i = 0; i < N; ++i)
        v[i] = i * 7 + 3;
    for (int i = 0; i < N * WIDE; ++i)
        q[i] = i | 1;
    printf("%u\n", fold(q, v, N, argc > 1 ? atoi(argv[1]) : WIDE));
    free(q), free(v);
    return 0;
}
