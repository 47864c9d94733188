/* Element access behind inline accessor functions and a macro; factor tables with the key last (transposed).
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

#define AT(t, r, c) ((t)->v[(r) * (t)->n + (c)])

struct tab { int n; float *v; };

static inline float get(const struct tab *t, int r, int c) { return t->v[r * t->n + c]; }
static inline void add(struct tab *t, int r, int c, float x) { AT(t, r, c) += x; }

static void sgd(struct tab *P, struct tab *Q, int K, const int *u, const int *i, const float *y, int n) {
#pragma orrery parallel unordered
    for (int t = 0; t < n; t++) {
        float e = y[t];
        for (int k = 0; k < K; k++)
            e -= get(P, k, u[t]) * get(Q, k, i[t]);
        for (int k = 0; k < K; k++) {
            float p = get(P, k, u[t]);
            add(P, k, u[t], 0.02f * e * AT(Q, k, i[t]));
            add(Q, k, i[t], 0.02f * e * p);
        }
    }
}

int main(void) {
    enum { N = 500, U = 30, I = 20, K = 4 };
    struct tab *P = malloc(sizeof *P), *Q = malloc(sizeof *Q);
    int *u = malloc(N * sizeof *u), *i = malloc(N * sizeof *i);
    float *y = malloc(N * sizeof *y);
    P->n = U, Q->n = I;
    P->v = malloc(K * U * sizeof(float));
    Q->v = malloc(K * I * sizeof(float));
    for (int j = 0; j < K * U; j++) P->v[j] = .5f + .01f * (j % 13);
    for (int j = 0; j < K * I; j++) Q->v[j] = .5f + .01f * (j % 7);
    for (int t = 0; t < N; t++) u[t] = (t * 37 + t / 3) % U, i[t] = (t * 11) % I, y[t] = (float)(1 + (u[t] + i[t]) % 4);
    for (int e = 0; e < 3; e++) sgd(P, Q, K, u, i, y, N);
    double sse = 0;
    for (int t = 0; t < N; t++) {
        double e = y[t];
        for (int k = 0; k < K; k++) e -= get(P, k, u[t]) * get(Q, k, i[t]);
        sse += e * e;
    }
    printf("%.3f\n", sse / N);
    return 0;
}
