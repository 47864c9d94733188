/* expect: serial ORR2104 11:82 `Y + b * 8` */
/* a transposed matrix gives the longer vectors */
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
void cblas_sgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, float alpha,
                 const float *a, int lda, const float *x, int incx, float beta, float *y, int incy);

void transposed(int batch, const float *restrict A, const float *restrict X, float *restrict Y) {
#pragma orrery parallel
    for (int b = 0; b < batch; b++)
        cblas_sgemv(CblasRowMajor, CblasTrans, 8, 16, 1, A, 16, X + b * 8, 1, 0, Y + b * 8, 1);
}
