/* A table of tables that is written through, and scratch rows. Argument 1: two tables are one;
 * 2: scratch rows share an element; 3: scratch rows are one row. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 400, F = 4, K = 5 };

static void step(float ***t, const float *x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int f = 0; f < F; f++)
            for (int k = 0; k < K; k++)
                t[i][f][k] = t[i][f][k] * x[i] + 1;
}

static void square(float **a, const float *x, float *y, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int f = 0; f < F; f++)
            for (int k = 0; k < K; k++)
                a[f][k] = x[i] * f + k;
        for (int f = 0; f < F; f++)
            for (int k = 0; k < K; k++)
                s += a[f][k] * a[F - 1 - f][k];
        y[i] = s;
    }
}

int main(int argc, char **argv) {
    int how = argc > 1 ? atoi(argv[1]) : 0;
    float ***t = malloc(N * sizeof *t), **a = malloc(F * sizeof *a);
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y),
          *block = malloc(99 * sizeof *block), s = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i % 7 * .25f;
        t[i] = malloc(F * sizeof **t);
        for (int f = 0; f < F; f++)
            t[i][f] = calloc(K, sizeof ***t);
    }
    for (int f = 0; f < F; f++)
        a[f] = block + (how == 3 ? 0 : f * (how == 2 ? K - 1 : K));
    if (how == 1)
        t[N / 2] = t[N / 3];
    step(t, x, N);
    square(a, x, y, N);
    for (int i = 0; i < N; i++)
        s += t[i][i % F][i % K] + y[i];
    printf("%g\n", s);
    return 0;
}
