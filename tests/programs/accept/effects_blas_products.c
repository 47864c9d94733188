/* expect: parallel independent */
/* how much of its arguments CBLAS touches: products of matrices by columns */
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transa, enum CBLAS_TRANSPOSE transb,
                 int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                 int ldb, double beta, double *c, int ldc);

void products(int batch, const double *restrict A, const double *restrict B, double *restrict C) {
#pragma orrery parallel
    for (int b = 0; b < batch; b++)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 8, 6, 4, 1, A + b * 32, 4, B, 4, 0,
                    C + b * 48, 8);
}
