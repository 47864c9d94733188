/*
 * Batched ridge gradient steps by CBLAS: a product of a small matrix by each of many vectors.
 * loop: parallel independent
 * also: OWN_BLAS
 */
#include <stdio.h>
#include <stdlib.h>

enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 };
void cblas_sgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, float alpha,
                 const float *a, int lda, const float *x, int incx, float beta, float *y, int incy);

#ifdef OWN_BLAS
void cblas_sgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, float alpha,
                 const float *a, int lda, const float *x, int incx, float beta, float *y,
                 int incy) {
    (void)order;
    int rows = trans == CblasTrans ? n : m, cols = trans == CblasTrans ? m : n;
    for (int i = 0; i < rows; i++) {
        float s = 0;
        for (int j = 0; j < cols; j++)
            s += (trans == CblasTrans ? a[j * lda + i] : a[i * lda + j]) * x[j * incx];
        y[i * incy] = alpha * s + (beta == 0 ? 0 : beta * y[i * incy]);
    }
}
#else
int main(void) {
    int batch = 200, d = 16, h = 8;
    float *A = malloc(h * d * sizeof(float));
    float *X = malloc(batch * d * sizeof(float)), *Y = malloc(batch * h * sizeof(float));
    srand(19);
    for (int i = 0; i < h * d; i++)
        A[i] = rand() % 100 / 100.0f;
    for (int i = 0; i < batch * d; i++)
        X[i] = rand() % 100 / 100.0f;
    for (int it = 0; it < 5; it++) {
#pragma orrery parallel
        for (int b = 0; b < batch; b++) {
            cblas_sgemv(CblasRowMajor, CblasNoTrans, h, d, 1.0f, A, d, X + b * d, 1, 0.0f,
                        Y + b * h, 1);
            for (int j = 0; j < h; j++)
                if (Y[b * h + j] < 0)
                    Y[b * h + j] = 0;
            cblas_sgemv(CblasRowMajor, CblasTrans, h, d, -0.01f, A, d, Y + b * h, 1, 1.0f,
                        X + b * d, 1);
        }
    }
    double s = 0;
    for (int i = 0; i < batch * d; i++)
        s += X[i] * (i % 13);
    printf("%.17g\n", s);
    return 0;
}
#endif
