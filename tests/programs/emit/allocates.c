/* emit: 3 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double **make(int rows, int columns) {
    double **at = malloc(rows * sizeof *at);
    for (int i = 0; i < rows; ++i)
        at[i] = calloc(columns, sizeof *at[i]);
    return at;
}

static void drop(double **at, int rows) {
    for (int i = 0; i < rows; ++i)
        free(at[i]);
    free(at);
}

int main(void) {
    enum { N = 200, M = 12 };
    static double x[N][M];
    double sums[N], ends[N], *t;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < M; ++j)
            x[i][j] = (i * 37 + j * 11) % 101;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        double **at = make(M, M);
        for (int a = 1; a < M; ++a)
            for (int b = 1; b < M; ++b)
                at[a][b] = at[a - 1][b - 1] + x[i][a] * x[0][b];
        sums[i] = at[M - 1][M - 1];
        drop(at, M);
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        t = malloc(sizeof x[i]);
        memcpy(t, x[i], sizeof x[i]);
        for (int j = 1; j < M; ++j)
            t[j] += t[j - 1];
        ends[i] = t[M - 1];
        free(t);
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        double *u = malloc(M * sizeof *u);
        for (int j = 0; j < M; ++j)
            u[j] = x[i][M - 1 - j];
        ends[i] += u[1];
        free(u);
    }
    for (int i = 0; i < 2; ++i) {
        int u[3] = {i};
        ends[u[0]] += sizeof u;
    }
    double all = 0;
    for (int i = 0; i < N; ++i)
        all += sums[i] * i + ends[i];
    printf("%.4f\n", all);
    return 0;
}
