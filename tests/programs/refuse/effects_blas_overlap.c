/* expect: serial ORR2104 11:85 `Y + b * 7` */
/* rows of vectors that overlap by one element */
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
void cblas_sgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, float alpha,
                 const float *a, int lda, const float *x, int incx, float beta, float *y, int incy);

void overlaps(int batch, const float *restrict A, const float *restrict X, float *restrict Y) {
#pragma orrery parallel
    for (int b = 0; b < batch; b++)
        cblas_sgemv(CblasRowMajor, CblasNoTrans, 8, 16, 1, A, 16, X + b * 16, 1, 0, Y + b * 7, 1);
}
