/* expect: parallel independent */
/* how much of its arguments CBLAS touches: rows of two-dimensional arrays */
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
void cblas_sgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, float alpha,
                 const float *a, int lda, const float *x, int incx, float beta, float *y, int incy);

void tables(int batch, int d, int h, const float *restrict A, float (*restrict X)[16],
            float (*restrict Y)[8]) {
#pragma orrery parallel
    for (int b = 0; b < batch; b++)
        cblas_sgemv(CblasColMajor, CblasNoTrans, 8, 16, 1, A, 8, X[b], 1, 0, Y[b], 1);
}
