/* A factorization machine over CSR rows, SGD: every iteration updates the rows of all its features.
 * loop: serial ORR2111
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, *ptr, *col;
    float *val, *label;
} csr;

typedef struct {
    int k;
    float w0, *w, *v;
} fm;

static float fm_predict(const fm *m, const csr *x, int i, float *sum) {
    float y = m->w0;
    for (int f = 0; f < m->k; f++) {
        float s = 0, s2 = 0;
        for (int p = x->ptr[i]; p < x->ptr[i + 1]; p++) {
            float d = m->v[x->col[p] * m->k + f] * x->val[p];
            s += d;
            s2 += d * d;
        }
        sum[f] = s;
        y += 0.5f * (s * s - s2);
    }
    for (int p = x->ptr[i]; p < x->ptr[i + 1]; p++)
        y += m->w[x->col[p]] * x->val[p];
    return y;
}

static void fm_epoch(fm *m, const csr *x, float lr) {
#pragma orrery parallel unordered
    for (int i = 0; i < x->rows; i++) {
        float sum[16];
        float g = fm_predict(m, x, i, sum) - x->label[i];
        for (int p = x->ptr[i]; p < x->ptr[i + 1]; p++) {
            int j = x->col[p];
            m->w[j] -= lr * g * x->val[p];
            for (int f = 0; f < m->k; f++)
                m->v[j * m->k + f] -= lr * g * (sum[f] - m->v[j * m->k + f] * x->val[p]) * x->val[p];
        }
    }
}

int main(void) {
    int rows = 60, feats = 30, per = 4;
    csr x = {rows, malloc((rows + 1) * sizeof(int)), malloc(rows * per * sizeof(int)),
             malloc(rows * per * sizeof(float)), malloc(rows * sizeof(float))};
    fm m = {3, 0, calloc(feats, sizeof(float)), malloc(feats * 3 * sizeof(float))};
    for (int i = 0; i < rows; i++) {
        x.ptr[i] = i * per;
        x.label[i] = (float)(i % 2);
        for (int p = 0; p < per; p++) x.col[i * per + p] = (i * 3 + p * 7) % feats, x.val[i * per + p] = 0.5f;
    }
    x.ptr[rows] = rows * per;
    for (int j = 0; j < feats * 3; j++) m.v[j] = 0.01f * (j % 5);
    for (int e = 0; e < 3; e++) fm_epoch(&m, &x, 0.05f);
    float s = 0;
    for (int j = 0; j < feats; j++) s += m.w[j];
    printf("%.5f\n", s);
    return 0;
}
