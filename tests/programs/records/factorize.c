/* Factorization of a sparse matrix by rows: a pass per call, the error of each printed. */
#include <stdio.h>
#include <stdlib.h>

enum { K = 8 };

struct csr {
    int rows, columns, *ptr, *col;
    float *val;
};

static double pass(const struct csr *m, float *W, float *H, float rate) {
    double loss = 0;
    const int *ptr = m->ptr, *col = m->col;
    const float *val = m->val;
#pragma orrery parallel
    for (int u = 0; u < m->rows; ++u) {
        float *w = W + u * K;
        for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
            float *h = H + col[p] * K, e = val[p];
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            for (int k = 0; k < K; ++k) {
                float old = w[k];
                w[k] += rate * (e * h[k] - .05f * old);
                h[k] += rate * (e * old - .05f * h[k]);
            }
        }
    }
    for (int u = 0; u < m->rows; ++u)
        for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
            double e = val[p];
            for (int k = 0; k < K; ++k)
                e -= W[u * K + k] * H[col[p] * K + k];
            loss += e * e;
        }
    return loss;
}

static void *take(size_t count, size_t size) {
    void *memory = malloc(count * size);
    if (!memory)
        exit(1);
    return memory;
}

int main(void) {
    struct csr m = {.rows = 700, .columns = 400};
    m.ptr = take((size_t)m.rows + 1, sizeof *m.ptr);
    m.ptr[0] = 0;
    for (int u = 0; u < m.rows; ++u)
        m.ptr[u + 1] = m.ptr[u] + (u % 5 ? u * 7 % 23 : 0);
    m.col = take((size_t)m.ptr[m.rows], sizeof *m.col);
    m.val = take((size_t)m.ptr[m.rows], sizeof *m.val);
    for (int u = 0; u < m.rows; ++u)
        for (int p = m.ptr[u]; p < m.ptr[u + 1]; ++p) {
            m.col[p] = (p - m.ptr[u]) * 17 + u % 17;
            m.val[p] = (float)(p % 5);
        }
    float *W = take((size_t)m.rows * K, sizeof *W), *H = take((size_t)m.columns * K, sizeof *H);
    for (int i = 0; i < m.rows * K; ++i)
        W[i] = (float)(i % 13) * .1f;
    for (int i = 0; i < m.columns * K; ++i)
        H[i] = (float)(i % 11) * .1f;
    for (int i = 0; i < 5; ++i)
        printf("%.17g\n", pass(&m, W, H, .01f));
    free(m.ptr);
    free(m.col);
    free(m.val);
    free(W);
    free(H);
    return 0;
}
