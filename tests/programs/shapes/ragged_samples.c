/* Samples of unlike lengths, each a structure with its own indices and values.
 * loop: parallel reduction
 * loop: parallel independent
 * result: near 1e-9
 */
#include <stdio.h>
#include <stdlib.h>
struct sample { int n; int *idx; double *val; double y; };
int main(void) {
    int N = 300, F = 50; struct sample *s = malloc(N * sizeof *s);
    for (int i = 0; i < N; i++) { s[i].n = 1 + i % 9; s[i].idx = malloc(s[i].n * sizeof(int)); s[i].val = malloc(s[i].n * sizeof(double)); s[i].y = i % 3;
        for (int j = 0; j < s[i].n; j++) s[i].idx[j] = (i * 7 + j * 3) % F, s[i].val[j] = 1 + j; }
    double *g = calloc(F, sizeof *g), loss = 0; double w[50] = {0};
    for (int e = 0; e < 3; e++) {
#pragma orrery parallel unordered
    for (int i = 0; i < N; i++) {
        const struct sample *p = &s[i];
        double d = -p->y;
        for (int j = 0; j < p->n; j++) d += w[p->idx[j]] * p->val[j];
        loss += d * d;
        for (int j = 0; j < p->n; j++) g[p->idx[j]] += d * p->val[j];
    }
    for (int f = 0; f < F; f++) w[f] -= .0001 * g[f];
    }
    printf("%.9g %.9g\n", loss, w[3]);
    double *out = malloc(N * sizeof *out);
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        double d = 0;
        for (int j = 0; j < s[i].n; j++) d += w[s[i].idx[j]] * s[i].val[j];
        out[i] = d;
    }
    printf("%.9g\n", out[5]);
    return 0;
}
