/*
 * y = A x with the matrix by columns: each column adds to elements of y that its row indices name.
 * loop: parallel reduction
 */
#include <stdio.h>
#include <stdlib.h>

struct csc {
    int rows, cols;
    int *colptr, *rowidx;
    double *val;
};

static void multiply(struct csc *m, double *x, double *y) {
    int i, j, p;
    for (i = 0; i < m->rows; i++)
        y[i] = 0;
#pragma orrery parallel
    for (j = 0; j < m->cols; j++)
        for (p = m->colptr[j]; p < m->colptr[j + 1]; p++)
            y[m->rowidx[p]] += m->val[p] * x[j];
}

int main(void) {
    struct csc m = {250, 300, NULL, NULL, NULL};
    int nnz = 2500;
    m.colptr = malloc((m.cols + 1) * sizeof(int));
    m.rowidx = malloc(nnz * sizeof(int));
    m.val = malloc(nnz * sizeof(double));
    srand(33);
    for (int j = 0; j <= m.cols; j++)
        m.colptr[j] = (long)nnz * j / m.cols;
    for (int p = 0; p < nnz; p++) {
        m.rowidx[p] = rand() % m.rows;
        m.val[p] = rand() / (double)RAND_MAX;
    }
    double *x = malloc(m.cols * sizeof(double)), *y = malloc(m.rows * sizeof(double));
    for (int j = 0; j < m.cols; j++)
        x[j] = j % 11 / 3.0;
    multiply(&m, x, y);
    double s = 0;
    for (int i = 0; i < m.rows; i++)
        s += y[i] * (i + 1);
    printf("%.12g\n", s);
    return 0;
}
