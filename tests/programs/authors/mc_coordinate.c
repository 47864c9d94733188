/*
 * Matrix completion by coordinate descent (CCD++): residuals in CSR, one factor at a time.
 * loop: parallel independent
 * loop: parallel reduction
 */
#include <stdio.h>
#include <stdlib.h>

struct smat {
    long rows, cols, nnz;
    long *row_ptr;
    unsigned *col_idx;
    double *val;
};

static void update_rank_one(struct smat *R, double *u, const double *v, double lambda) {
#pragma orrery parallel
    for (long r = 0; r < R->rows; r++) {
        if (R->row_ptr[r + 1] == R->row_ptr[r])
            continue;
        double g = 0, h = lambda * (R->row_ptr[r + 1] - R->row_ptr[r]);
        for (long p = R->row_ptr[r]; p < R->row_ptr[r + 1]; p++) {
            g += v[R->col_idx[p]] * R->val[p];
            h += v[R->col_idx[p]] * v[R->col_idx[p]];
        }
        u[r] = g / h;
    }
}

static double update_residual(struct smat *R, const double *u, const double *v, int add) {
    double loss = 0;
#pragma orrery parallel
    for (long r = 0; r < R->rows; r++)
        for (long p = R->row_ptr[r]; p < R->row_ptr[r + 1]; p++) {
            R->val[p] += (add ? 1 : -1) * u[r] * v[R->col_idx[p]];
            loss += R->val[p] * R->val[p];
        }
    return loss;
}

int main(void) {
    struct smat R = {200, 100, 2000, NULL, NULL, NULL};
    int rank = 3;
    srand(41);
    R.row_ptr = malloc((R.rows + 1) * sizeof(long));
    R.col_idx = malloc(R.nnz * sizeof(unsigned));
    R.val = malloc(R.nnz * sizeof(double));
    for (long r = 0; r <= R.rows; r++)
        R.row_ptr[r] = R.nnz * r / R.rows;
    for (long p = 0; p < R.nnz; p++) {
        R.col_idx[p] = rand() % R.cols;
        R.val[p] = 1 + rand() % 5;
    }
    double **W = malloc(rank * sizeof(double *)), **H = malloc(rank * sizeof(double *));
    for (int t = 0; t < rank; t++) {
        W[t] = calloc(R.rows, sizeof(double));
        H[t] = malloc(R.cols * sizeof(double));
        for (long c = 0; c < R.cols; c++)
            H[t][c] = rand() / (double)RAND_MAX;
    }
    for (int it = 0; it < 3; it++)
        for (int t = 0; t < rank; t++) {
            update_residual(&R, W[t], H[t], 1);
            update_rank_one(&R, W[t], H[t], 0.1);
            printf("%d %d %.9g\n", it, t, update_residual(&R, W[t], H[t], 0));
        }
    return 0;
}
