/* expect: parallel independent */
/* how much of its arguments CBLAS touches: plain and transposed: the order of lengths differs */
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
void cblas_sgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, float alpha,
                 const float *a, int lda, const float *x, int incx, float beta, float *y, int incy);

void plain(int batch, int d, int h, const float *restrict A, float *restrict X, float *restrict Y) {
#pragma orrery parallel
    for (int b = 0; b < batch; b++) {
        cblas_sgemv(CblasRowMajor, CblasNoTrans, h, d, 1, A, d, X + b * d, 1, 0, Y + b * h, 1);
        cblas_sgemv(CblasRowMajor, CblasTrans, h, d, 1, A, d, Y + b * h, 1, 1, X + b * d, 1);
    }
}
