/*
 * A field-aware factorization machine over rows that two pointers bound, as LIBFFM walks them.
 * loop: serial ORR2105
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int f, j;
    float v;
} ffm_node;
int n = 60, m = 4, k = 4;
static float wTx(ffm_node *begin, ffm_node *end, float r, float *W, float kappa, float eta,
                 float lambda, int do_update) {
    long align0 = 2L * k, align1 = (long)m * align0;
    float t = 0;
    for (ffm_node *N1 = begin; N1 != end; N1++)
        for (ffm_node *N2 = N1 + 1; N2 != end; N2++) {
            int j1 = N1->j, f1 = N1->f, j2 = N2->j, f2 = N2->f;
            if (j1 >= n || f1 >= m || j2 >= n || f2 >= m)
                continue;
            float *w1 = W + j1 * align1 + f2 * align0, *w2 = W + j2 * align1 + f1 * align0;
            float v = N1->v * N2->v * r;
            if (do_update) {
                float *wg1 = w1 + k, *wg2 = w2 + k;
                for (int d = 0; d < k; d++) {
                    float g1 = lambda * w1[d] + kappa * w2[d] * v,
                          g2 = lambda * w2[d] + kappa * w1[d] * v;
                    wg1[d] += g1 * g1;
                    wg2[d] += g2 * g2;
                    w1[d] -= eta / sqrtf(wg1[d]) * g1;
                    w2[d] -= eta / sqrtf(wg2[d]) * g2;
                }
            } else
                for (int d = 0; d < k; d++)
                    t += w1[d] * w2[d] * v;
        }
    return t;
}
int main() {
    int l = 500;
    long *P = malloc((l + 1) * sizeof(long));
    ffm_node *X = malloc(l * 4 * sizeof *X);
    float *Y = malloc(l * 4), *R = malloc(l * 4);
    float *W = malloc((long)n * m * k * 2 * 4);
    srand(9);
    P[0] = 0;
    long q = 0;
    for (int i = 0; i < l; i++) {
        int s = 0;
        for (int f = 0; f < 4; f++)
            if (f < 2 || rand() % 2) {
                X[q].f = f;
                X[q].j = f * 15 + rand() % 15;
                X[q].v = 0.5f;
                s += X[q].j;
                q++;
            }
        P[i + 1] = q;
        Y[i] = s % 3 ? 1 : -1;
        R[i] = 1;
    }
    for (long i = 0; i < (long)n * m; i++)
        for (int d = 0; d < k; d++) {
            W[i * 2 * k + d] = .5f * rand() / RAND_MAX;
            W[i * 2 * k + k + d] = 1;
        }
    for (int it = 0; it < 3; it++) {
        double tr = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < l; i++) {
            ffm_node *begin = &X[P[i]], *end = &X[P[i + 1]];
            float y = Y[i], r = R[i];
            float t = wTx(begin, end, r, W, 0, 0, 0, 0);
            float e = expf(-y * t);
            tr += log1pf(e);
            float kappa = -y * e / (1 + e);
            wTx(begin, end, r, W, kappa, .2f, .00002f, 1);
        }
        double va = 0;
#pragma orrery parallel
        for (int i = 0; i < l; i++) {
            float t = wTx(&X[P[i]], &X[P[i + 1]], R[i], W, 0, 0, 0, 0);
            va += log1p(exp(-Y[i] * t));
        }
        printf("%d %.4f %.4f\n", it, tr / l, va / l);
    }
}
