/*
 * Alternating least squares whose normal equations are in a workspace that Cholesky's function gets the arrays of.
 * loop: parallel independent
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n;
    int *ptr, *idx;
    double *val;
} sparse;

typedef struct {
    int k;
    double *A, *b, *y;
} workspace;

static void chol_solve(double *A, double *b, double *y, int k) {
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) {
            double s = A[i * k + j];
            for (int p = 0; p < j; p++)
                s -= A[i * k + p] * A[j * k + p];
            if (i == j)
                A[i * k + i] = sqrt(s);
            else
                A[i * k + j] = s / A[j * k + j];
        }
    for (int i = 0; i < k; i++) {
        double s = b[i];
        for (int p = 0; p < i; p++)
            s -= A[i * k + p] * y[p];
        y[i] = s / A[i * k + i];
    }
    for (int i = k - 1; i >= 0; i--) {
        double s = y[i];
        for (int p = i + 1; p < k; p++)
            s -= A[p * k + i] * b[p];
        b[i] = s / A[i * k + i];
    }
}

static void half_step(const sparse *R, double *X, const double *Y, workspace *ws, double lambda) {
    int k = ws->k;
#pragma orrery parallel
    for (int u = 0; u < R->n; u++) {
        int cnt = R->ptr[u + 1] - R->ptr[u];
        memset(ws->A, 0, k * k * sizeof(double));
        memset(ws->b, 0, k * sizeof(double));
        for (int p = R->ptr[u]; p < R->ptr[u + 1]; p++) {
            const double *y = Y + R->idx[p] * k;
            for (int i = 0; i < k; i++) {
                for (int j = 0; j <= i; j++)
                    ws->A[i * k + j] += y[i] * y[j];
                ws->b[i] += R->val[p] * y[i];
            }
        }
        for (int i = 0; i < k; i++)
            ws->A[i * k + i] += lambda * cnt;
        chol_solve(ws->A, ws->b, ws->y, k);
        memcpy(X + u * k, ws->b, k * sizeof(double));
    }
}

static sparse transpose(const sparse *a, int cols) {
    sparse t;
    t.n = cols;
    t.ptr = calloc(cols + 1, sizeof(int));
    int nnz = a->ptr[a->n];
    t.idx = malloc(nnz * sizeof(int));
    t.val = malloc(nnz * sizeof(double));
    for (int p = 0; p < nnz; p++)
        t.ptr[a->idx[p] + 1]++;
    for (int c = 0; c < cols; c++)
        t.ptr[c + 1] += t.ptr[c];
    int *at = malloc(cols * sizeof(int));
    memcpy(at, t.ptr, cols * sizeof(int));
    for (int r = 0; r < a->n; r++)
        for (int p = a->ptr[r]; p < a->ptr[r + 1]; p++) {
            t.idx[at[a->idx[p]]] = r;
            t.val[at[a->idx[p]]++] = a->val[p];
        }
    free(at);
    return t;
}

int main(void) {
    int users = 200, items = 150, k = 8;
    sparse R;
    R.n = users;
    R.ptr = malloc((users + 1) * sizeof(int));
    srand(9);
    R.ptr[0] = 0;
    for (int u = 0; u < users; u++)
        R.ptr[u + 1] = R.ptr[u] + 5 + rand() % 20;
    int nnz = R.ptr[users];
    R.idx = malloc(nnz * sizeof(int));
    R.val = malloc(nnz * sizeof(double));
    for (int u = 0; u < users; u++)
        for (int p = R.ptr[u]; p < R.ptr[u + 1]; p++) {
            R.idx[p] = rand() % items;
            R.val[p] = 1 + (u + R.idx[p]) % 5;
        }
    sparse Rt = transpose(&R, items);
    double *X = malloc(users * k * sizeof(double)), *Y = malloc(items * k * sizeof(double));
    for (int i = 0; i < users * k; i++)
        X[i] = 0;
    for (int i = 0; i < items * k; i++)
        Y[i] = rand() / (double)RAND_MAX;
    workspace ws;
    ws.k = k;
    ws.A = malloc(k * k * sizeof(double));
    ws.b = malloc(k * sizeof(double));
    ws.y = malloc(k * sizeof(double));
    for (int it = 0; it < 6; it++) {
        half_step(&R, X, Y, &ws, 0.1);
        half_step(&Rt, Y, X, &ws, 0.1);
        double se = 0;
        for (int u = 0; u < users; u++)
            for (int p = R.ptr[u]; p < R.ptr[u + 1]; p++) {
                double e = R.val[p];
                for (int f = 0; f < k; f++)
                    e -= X[u * k + f] * Y[R.idx[p] * k + f];
                se += e * e;
            }
        printf("iter %d rmse %.6f %.17g %.17g %.17g\n", it, sqrt(se / nnz), ws.A[k + 1], ws.b[2],
               ws.y[3]);
    }
    return 0;
}
