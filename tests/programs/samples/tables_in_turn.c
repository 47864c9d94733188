/* A loop over tables of tables that it meets in turn, more of them than it remembers. The argument:
 * 1: from pass 2 on, two rows of table 5 are one; 2: they are until pass 2, and no more from then
 * on; 3: table 5 is the same as table 6 in odd passes. */
#include <stdio.h>
#include <stdlib.h>

enum { TABLES = 19, N = 12, K = 6, PASSES = 4 };

static void step(double ***t, double ***u, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < N; ++j)
            for (int k = 0; k < K; ++k)
                t[i][j][k] = t[i][j][k] * .5 + u[i][j][K - 1 - k] + i;
}

static double ***table(int seed) {
    double ***t = malloc(N * sizeof *t);
    for (int i = 0; i < N; ++i) {
        t[i] = malloc(N * sizeof **t);
        for (int j = 0; j < N; ++j) {
            t[i][j] = malloc(K * sizeof ***t);
            for (int k = 0; k < K; ++k)
                t[i][j][k] = (seed * 7 + i * 5 + j * 3 + k) % 11;
        }
    }
    return t;
}

int main(int argc, char **argv) {
    int how = argc > 1 ? atoi(argv[1]) : 0;
    double ***all[TABLES + 1], sum = 0;
    for (int m = 0; m <= TABLES; ++m)
        all[m] = table(m);
    double *own = all[5][3][2];
    if (how == 2)
        all[5][3][2] = all[5][7][2];
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass == 2 && how == 1)
            all[5][3][2] = all[5][7][2];
        if (pass == 2 && how == 2)
            all[5][3][2] = own;
        for (int m = 0; m < TABLES; ++m)
            step(all[m], how == 3 && m == 5 && pass % 2 ? all[m] : all[m + 1], N);
        for (int m = 0; m < 3; ++m)
            step(all[m], all[m + 1], N - m);
    }
    for (int m = 0; m < TABLES; ++m)
        for (int i = 0; i < N * N; ++i)
            sum += all[m][i / N][i % N][i % K] * (i % 7 + m);
    printf("%.17g\n", sum);
    return 0;
}
