/*
 * Gauss-Seidel over a sparse matrix in CSR with its diagonal among the entries.
 * loop: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int nx = 20, n = nx * nx;
    int *ia = malloc((n + 1) * sizeof(int)), *ja = malloc(5 * n * sizeof(int));
    double *a = malloc(5 * n * sizeof(double)), *x = calloc(n, sizeof(double)),
           *b = malloc(n * sizeof(double));
    int nnz = 0;
    for (int i = 0; i < n; i++) {
        int r = i / nx, c = i % nx;
        ia[i] = nnz;
        if (r > 0) {
            ja[nnz] = i - nx;
            a[nnz++] = -1;
        }
        if (c > 0) {
            ja[nnz] = i - 1;
            a[nnz++] = -1;
        }
        ja[nnz] = i;
        a[nnz++] = 4;
        if (c < nx - 1) {
            ja[nnz] = i + 1;
            a[nnz++] = -1;
        }
        if (r < nx - 1) {
            ja[nnz] = i + nx;
            a[nnz++] = -1;
        }
        b[i] = i % 7;
    }
    ia[n] = nnz;
    for (int sweep = 0; sweep < 20; sweep++) {
        double change = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double sum = b[i], diag = 1;
            for (int k = ia[i]; k < ia[i + 1]; k++)
                if (ja[k] == i)
                    diag = a[k];
                else
                    sum -= a[k] * x[ja[k]];
            double old = x[i];
            x[i] = sum / diag;
            if (fabs(x[i] - old) > change)
                change = fabs(x[i] - old);
        }
        printf("%d %.17g\n", sweep, change);
    }
    return 0;
}
