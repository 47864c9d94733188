/*
 * Power iteration by products of a sparse matrix by rows, called through a function.
 * loop: parallel independent
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    size_t nrows;
    size_t *row_start;
    unsigned *cols;
    double *values;
} csr_matrix;

void spmv(const csr_matrix *A, const double *x, double *y) {
#pragma orrery parallel
    for (size_t i = 0; i < A->nrows; i++) {
        double sum = 0.0;
        for (size_t j = A->row_start[i]; j < A->row_start[i + 1]; j++)
            sum += A->values[j] * x[A->cols[j]];
        y[i] = sum;
    }
}

int main(void) {
    csr_matrix A;
    A.nrows = 300;
    A.row_start = malloc((A.nrows + 1) * sizeof(size_t));
    A.row_start[0] = 0;
    srand(9);
    for (size_t i = 0; i < A.nrows; i++)
        A.row_start[i + 1] = A.row_start[i] + 1 + rand() % 10;
    A.cols = malloc(A.row_start[A.nrows] * sizeof(unsigned));
    A.values = malloc(A.row_start[A.nrows] * sizeof(double));
    for (size_t j = 0; j < A.row_start[A.nrows]; j++) {
        A.cols[j] = rand() % A.nrows;
        A.values[j] = 1 + rand() % 9;
    }
    double *x = malloc(A.nrows * sizeof(double)), *y = malloc(A.nrows * sizeof(double));
    for (size_t i = 0; i < A.nrows; i++)
        x[i] = 1;
    double norm = 0;
    for (int it = 0; it < 20; it++) {
        spmv(&A, x, y);
        norm = 0;
        for (size_t i = 0; i < A.nrows; i++)
            norm += y[i] * y[i];
        norm = sqrt(norm);
        for (size_t i = 0; i < A.nrows; i++)
            x[i] = y[i] / norm;
    }
    printf("%.17g\n", norm);
    return 0;
}
