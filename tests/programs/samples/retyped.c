/* Memory that takes another type: whole numbers are made floating-point numbers in the same place.
 * Argument 1: in the same place; 2: row by row, behind tables of pointers. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void widen(const int *a, double *w, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        w[i] = a[i];
}

__attribute__((noinline)) static void widen_rows(int **a, double **w, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            w[i][j] = a[n - 1 - i][j];
}

int main(int argc, char **argv) {
    enum { N = 40000, ROWS = 200, M = N / ROWS };
    int how = argc > 1 ? atoi(argv[1]) : 0;
    double *w = malloc(N * sizeof *w), **to = malloc(ROWS * sizeof *to), s = 0;
    int *a = how ? (int *)(w + N) - N : malloc(N * sizeof *a), **from = malloc(ROWS * sizeof *from);
    for (int i = 0; i < N; ++i)
        a[i] = i % 1000;
    for (int i = 0; i < ROWS; ++i) {
        from[i] = a + i * M;
        to[i] = w + i * M;
    }
    if (how == 2)
        for (int i = 0; i < ROWS; ++i)
            from[ROWS - 1 - i] = a + i * M;
    if (how == 2)
        widen_rows(from, to, ROWS, M);
    else
        widen(a, w, N);
    for (int i = 0; i < N; ++i)
        s += w[i] * (i % 7);
    printf("%.17g\n", s);
    return 0;
}
