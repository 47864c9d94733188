/* Scratch matrices as tables of rows, allocated once in front of the loop: one row by row, one in a block, one of
 * three dimensions.
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

static double **rows(int n, int k) {
    double **t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = calloc(k, sizeof **t);
    return t;
}

static double **block(int n, int k) {
    double **t = malloc(n * sizeof *t);
    t[0] = calloc((size_t)n * k, sizeof **t);
    for (int i = 1; i < n; i++)
        t[i] = t[0] + (size_t)i * k;
    return t;
}

static void solve(int n, int K, const double *x, double **w) {
    double **A = rows(K, K + 1), **L = block(K, K);
    #pragma orrery parallel
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < K; a++)
            for (int b = 0; b <= K; b++)
                A[a][b] = x[i] * (a + 1) / (b + 2) + (a == b) * 3;
        for (int a = 0; a < K; a++)
            for (int b = 0; b < K; b++)
                L[a][b] = A[a][b] - A[b][a];
        for (int k = 0; k < K; k++) {
            double s = A[k][K];
            for (int b = 0; b < K; b++)
                s += A[k][b] * L[b][k];
            w[i][k] = s;
        }
    }
}

static void cube(int n, int K, const double *x, double *y) {
    double ***t = malloc(2 * sizeof *t);
    t[0] = rows(K, K);
    t[1] = block(K, K);
    #pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int h = 0; h < 2; h++)
            for (int a = 0; a < K; a++)
                for (int b = 0; b < K; b++)
                    t[h][a][b] = x[i] + h * a - b;
        for (int a = 0; a < K; a++)
            for (int b = 0; b < K; b++)
                s += t[0][a][b] * t[1][b][a];
        y[i] = s;
    }
    printf("%.17g\n", t[1][K - 1][0]);
}

int main(void) {
    int n = 600, K = 5;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), **w = rows(n, K);
    for (int i = 0; i < n; i++)
        x[i] = i % 17 - 4.25;
    solve(n, K, x, w);
    cube(n, K, x, y);
    for (int i = 0; i < n; i += 50)
        printf("%.17g %.17g %.17g\n", w[i][0], w[i][K - 1], y[i]);
    return 0;
}
