/* A network and its gradients in structures of double ** matrices; the sums in a function that is handed both.
 * loop: parallel reduction
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int nin, nhid; double **w1, *w2; } net_t;
typedef struct { double **d1, *d2; double err; } grad_t;
static double **new2(int r, int c) { double **p = (double **)malloc(r * sizeof(double *)); int i; for (i = 0; i < r; i++) p[i] = (double *)calloc(c, sizeof(double)); return p; }
static void backprop(const net_t *n, grad_t *g, const double *x, double t) {
    double h[16], o = 0, d; int i, j;
    for (j = 0; j < n->nhid; j++) { double s = 0; for (i = 0; i < n->nin; i++) s += x[i] * n->w1[i][j]; h[j] = tanh(s); o += n->w2[j] * h[j]; }
    d = o - t; g->err += d * d;
    for (j = 0; j < n->nhid; j++) { g->d2[j] += d * h[j]; for (i = 0; i < n->nin; i++) g->d1[i][j] += d * n->w2[j] * (1 - h[j] * h[j]) * x[i]; }
}
int main(void) {
    net_t net = {5, 6}; grad_t g; int n = 400, i, j, e;
    net.w1 = new2(5, 6); net.w2 = calloc(6, sizeof(double)); g.d1 = new2(5, 6); g.d2 = calloc(6, sizeof(double));
    for (i = 0; i < 5; i++) for (j = 0; j < 6; j++) net.w1[i][j] = ((i * 7 + j * 3) % 11 - 5) / 10.; for (j = 0; j < 6; j++) net.w2[j] = (j - 2) / 5.;
    double **x = new2(n, 5), *t = malloc(n * sizeof(double));
    for (i = 0; i < n; i++) { for (j = 0; j < 5; j++) x[i][j] = (i * (j + 2) % 19) / 19.; t[i] = x[i][0] - x[i][3]; }
    for (e = 0; e < 5; e++) {
        g.err = 0; for (i = 0; i < 5; i++) for (j = 0; j < 6; j++) g.d1[i][j] = 0; for (j = 0; j < 6; j++) g.d2[j] = 0;
#pragma orrery parallel unordered
        for (i = 0; i < n; i++) backprop(&net, &g, x[i], t[i]);
#pragma orrery parallel unordered
        for (i = 0; i < n; i++) for (j = 0; j < 5; j++) g.d1[j][0] += 1e-3 * x[i][j];
        for (i = 0; i < 5; i++) for (j = 0; j < 6; j++) net.w1[i][j] -= .1 / n * g.d1[i][j]; for (j = 0; j < 6; j++) net.w2[j] -= .1 / n * g.d2[j];
        printf("%d %.10f\n", e, g.err);
    }
    return 0;
}
