/*
 * Alternating least squares: a small system by Cholesky per user, over CSR.
 * loop: parallel independent
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 6

static void solve(double a[K][K], double *b) {
    for (int j = 0; j < K; j++) {
        for (int k = 0; k < j; k++)
            a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < K; i++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (int i = 0; i < K; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (int i = K - 1; i >= 0; i--) {
        for (int k = i + 1; k < K; k++)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

static void update(double *X, const double *Y, const int *ptr, const int *idx, const double *val,
                   int n, double lambda) {
#pragma orrery parallel
    for (int u = 0; u < n; u++) {
        double a[K][K], b[K];
        memset(a, 0, sizeof(a));
        memset(b, 0, sizeof(b));
        for (int k = 0; k < K; k++)
            a[k][k] = lambda;
        for (int p = ptr[u]; p < ptr[u + 1]; p++) {
            const double *y = &Y[idx[p] * K];
            for (int i = 0; i < K; i++) {
                b[i] += val[p] * y[i];
                for (int j = 0; j <= i; j++)
                    a[i][j] += y[i] * y[j];
            }
        }
        solve(a, b);
        memcpy(&X[u * K], b, sizeof(b));
    }
}

int main(void) {
    int users = 150, items = 100, per = 12;
    int *ptr = malloc((users + 1) * sizeof(int)), *idx = malloc(users * per * sizeof(int));
    int *tptr = calloc(items + 2, sizeof(int)), *tidx = malloc(users * per * sizeof(int));
    double *val = malloc(users * per * sizeof(double)),
           *tval = malloc(users * per * sizeof(double));
    double *X = calloc(users * K, sizeof(double)), *Y = malloc(items * K * sizeof(double));
    srand(6);
    for (int u = 0; u <= users; u++)
        ptr[u] = u * per;
    for (int p = 0; p < users * per; p++) {
        idx[p] = rand() % items;
        val[p] = 1 + rand() % 5;
        tptr[idx[p] + 2]++;
    }
    for (int i = 0; i < items; i++)
        tptr[i + 2] += tptr[i + 1];
    for (int u = 0; u < users; u++)
        for (int p = ptr[u]; p < ptr[u + 1]; p++) {
            int at = tptr[idx[p] + 1]++;
            tidx[at] = u;
            tval[at] = val[p];
        }
    for (int i = 0; i < items * K; i++)
        Y[i] = rand() / (double)RAND_MAX;
    for (int it = 0; it < 3; it++) {
        update(X, Y, ptr, idx, val, users, 0.1);
        update(Y, X, tptr, tidx, tval, items, 0.1);
        double sse = 0;
        for (int u = 0; u < users; u++)
            for (int p = ptr[u]; p < ptr[u + 1]; p++) {
                double e = val[p];
                for (int k = 0; k < K; k++)
                    e -= X[u * K + k] * Y[idx[p] * K + k];
                sse += e * e;
            }
        printf("%d %.17g\n", it, sse);
    }
    return 0;
}
