/*
 * ALS with a small Cholesky per row, whose function ends the program where a matrix is not positive definite.
 * loop: parallel independent
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define F 4
typedef struct {
    int n;
    int *idx;
    float *val;
} Row;
static void chol(double *A, double *b, int k) {
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) {
            double s = A[i * k + j];
            for (int m = 0; m < j; m++)
                s -= A[i * k + m] * A[j * k + m];
            if (i == j) {
                if (s <= 0) {
                    fprintf(stderr, "not positive definite\n");
                    exit(1);
                }
                A[i * k + i] = sqrt(s);
            } else
                A[i * k + j] = s / A[j * k + j];
        }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < i; j++)
            b[i] -= A[i * k + j] * b[j];
        b[i] /= A[i * k + i];
    }
    for (int i = k - 1; i >= 0; i--) {
        for (int j = i + 1; j < k; j++)
            b[i] -= A[j * k + i] * b[j];
        b[i] /= A[i * k + i];
    }
}
static void half(Row *rows, int n, double *X, double *Y, double lambda) {
#pragma orrery parallel
    for (int u = 0; u < n; u++) {
        double A[F * F], b[F];
        memset(A, 0, sizeof A);
        memset(b, 0, sizeof b);
        for (int p = 0; p < rows[u].n; p++) {
            double *y = Y + rows[u].idx[p] * F;
            for (int i = 0; i < F; i++) {
                b[i] += y[i] * rows[u].val[p];
                for (int j = 0; j < F; j++)
                    A[i * F + j] += y[i] * y[j];
            }
        }
        for (int i = 0; i < F; i++)
            A[i * F + i] += lambda;
        chol(A, b, F);
        memcpy(X + u * F, b, sizeof b);
    }
}
int main(void) {
    int U = 100, I = 80;
    Row *ru = calloc(U, sizeof *ru), *ri = calloc(I, sizeof *ri);
    double *X = malloc(U * F * sizeof *X), *Y = malloc(I * F * sizeof *Y);
    srand(3);
    for (int i = 0; i < I * F; i++)
        Y[i] = rand() / (double)RAND_MAX;
    for (int i = 0; i < I; i++) {
        ri[i].idx = malloc(U * sizeof(int));
        ri[i].val = malloc(U * sizeof(float));
    }
    for (int u = 0; u < U; u++) {
        ru[u].idx = malloc(20 * sizeof(int));
        ru[u].val = malloc(20 * sizeof(float));
        for (int k = 0; k < 15; k++) {
            int i = (u * 7 + k * 5) % I;
            float v = (u + i) % 5 + 1;
            ru[u].idx[ru[u].n] = i;
            ru[u].val[ru[u].n++] = v;
            ri[i].idx[ri[i].n] = u;
            ri[i].val[ri[i].n++] = v;
        }
    }
    for (int it = 0; it < 4; it++) {
        half(ru, U, X, Y, .1);
        half(ri, I, Y, X, .1);
        printf("%d %.9g\n", it, X[7]);
    }
}
