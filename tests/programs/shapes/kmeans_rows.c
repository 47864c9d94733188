/* K-means, one loop for assignment and sums: points, centres and sums are tables of rows, and the
 * row of the sums is what a function found. Then votes per row and column, both computed.
 * loop: parallel reduction
 * loop: parallel reduction
 * result: near 1e-6
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, D = 3, K = 5 };

static double **table(int rows) {
    double **t = malloc(rows * sizeof *t);
    t[0] = calloc((size_t)rows * D, sizeof(double));
    for (int i = 1; i < rows; i++)
        t[i] = t[i - 1] + D;
    return t;
}

static int nearest(const double *p, double **mu) {
    int best = 0;
    double dmin = DBL_MAX;
    for (int c = 0; c < K; c++) {
        double d = 0;
        for (int j = 0; j < D; j++)
            d += (p[j] - mu[c][j]) * (p[j] - mu[c][j]);
        if (d < dmin) {
            dmin = d;
            best = c;
        }
    }
    return best;
}

static int pass(double **x, double **mu, double **sum, int *size, int *assign) {
    int moved = 0;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        int c = nearest(x[i], mu);
        if (assign[i] != c)
            moved++;
        assign[i] = c;
        size[c]++;
        for (int j = 0; j < D; j++)
            sum[c][j] += x[i][j];
    }
    return moved;
}

static void vote(double **x, double **mu, int **votes) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        double most = -DBL_MAX;
        int top = 0;
        for (int j = 0; j < D; j++)
            if (x[i][j] > most) {
                most = x[i][j];
                top = j;
            }
        votes[nearest(x[i], mu)][top] += 1;
    }
}

int main(void) {
    double **x = table(N), **mu = table(K), **sum = table(K);
    int *size = malloc(K * sizeof *size), *assign = calloc(N, sizeof *assign);
    int **votes = malloc(K * sizeof *votes);
    for (int i = 0; i < N * D; i++)
        x[i / D][i % D] = (i * 7919 % 101) / 10.0 + (i / D % K) * 3;
    for (int c = 0; c < K; c++)
        votes[c] = calloc(D, sizeof(int));
    memcpy(mu[0], x[0], sizeof(double) * K * D);
    for (int it = 0; it < 4; it++) {
        memset(sum[0], 0, sizeof(double) * K * D);
        memset(size, 0, K * sizeof *size);
        int moved = pass(x, mu, sum, size, assign);
        for (int c = 0; c < K; c++)
            for (int j = 0; j < D; j++)
                if (size[c])
                    mu[c][j] = sum[c][j] / size[c];
        printf("%d %.6f\n", moved, mu[0][0]);
    }
    vote(x, mu, votes);
    for (int c = 0; c < K; c++)
        printf("%d %d %d\n", votes[c][0], votes[c][1], votes[c][2]);
    return 0;
}
