/* Factor tables, biases and a mean as arrays of fixed size inside one structure, on the heap and as a global.
 * loop: parallel rotation-2d
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>
#define NU 30
#define NI 20
#define K 4
typedef struct { double P[NU][K], Q[NI][K], bu[NU], bi[NI], mu; } Model;
typedef struct { int u, i; double y; } R;
static Model model;
double pass(Model *m, const R *r, int n) {
    double s = 0;
#pragma orrery parallel unordered
    for (int t = 0; t < n; t++) {
        double e = r[t].y - m->mu - m->bu[r[t].u] - m->bi[r[t].i];
        for (int k = 0; k < K; k++) e -= m->P[r[t].u][k] * m->Q[r[t].i][k];
        s += e * e;
        m->bu[r[t].u] += .01 * e; m->bi[r[t].i] += .01 * e;
        for (int k = 0; k < K; k++) { double p = m->P[r[t].u][k]; m->P[r[t].u][k] += .01 * e * m->Q[r[t].i][k]; m->Q[r[t].i][k] += .01 * e * p; }
    }
    return s;
}
double pass2(const R *r, int n) {
    double s = 0;
#pragma orrery parallel unordered
    for (int t = 0; t < n; t++) {
        double e = r[t].y;
        for (int k = 0; k < K; k++) e -= model.P[r[t].u][k] * model.Q[r[t].i][k];
        s += e * e;
        for (int k = 0; k < K; k++) { double p = model.P[r[t].u][k]; model.P[r[t].u][k] += .01 * e * model.Q[r[t].i][k]; model.Q[r[t].i][k] += .01 * e * p; }
    }
    return s;
}
int main(void) {
    R *r = malloc(500 * sizeof *r); Model *m = malloc(sizeof *m);
    for (int t = 0; t < 500; t++) r[t] = (R){t % NU, (t * 7 + t / NU) % NI, 1 + t % 5};
    m->mu = 3;
    for (int u = 0; u < NU; u++) { m->bu[u] = 0; for (int k = 0; k < K; k++) model.P[u][k] = m->P[u][k] = .1 + .01 * (u % 5); }
    for (int u = 0; u < NI; u++) { m->bi[u] = 0; for (int k = 0; k < K; k++) model.Q[u][k] = m->Q[u][k] = .1 + .01 * (u % 3); }
    for (int e = 0; e < 3; e++) { printf("%.5f\n", pass(m, r, 500)); printf("%.5f\n", pass2(r, 500)); }
    return 0;
}
