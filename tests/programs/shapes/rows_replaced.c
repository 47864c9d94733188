/* Rows behind pointers in structures that change places, grow and are replaced between passes, and sums into rows of a table.
 * loop: parallel partition-1d
 * loop: parallel reduction
 * result: same
 * ranks: refused have no shape that could be sent
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int n; double *v; double bias; } ent;
int main(void) {
    int nu = 40, n = 600, K = 6; ent *u = malloc(nu * sizeof *u); int *id = malloc(n * sizeof *id); double *y = malloc(n * sizeof *y);
    for (int i = 0; i < nu; i++) { u[i].n = K; u[i].v = calloc(K, 8); u[i].bias = i; }
    for (int i = 0; i < n; i++) id[i] = i * 7 % nu, y[i] = i % 13;
    double **g = malloc(3 * sizeof *g); for (int i = 0; i < 3; i++) g[i] = calloc(4, 8);
    double *spare = calloc(K, 8);
    for (int e = 0; e < 6; e++) {
        #pragma orrery parallel
        for (int i = 0; i < n; i++) { ent *p = &u[id[i]]; p->bias = .9 * p->bias + y[i]; for (int k = 0; k < p->n; k++) p->v[k] = .5 * p->v[k] + k * p->bias; }
        #pragma orrery parallel
        for (int i = 0; i < n; i++) for (int c = 0; c < 3; c++) for (int k = 0; k < 4; k++) g[c][k] += (int)y[i] * (c + k);
        /* between passes rows change places, are replaced, moved */
        double *t = u[3].v; u[3].v = u[5].v; u[5].v = spare; spare = t;
        u[7].v = realloc(u[7].v, (K + e) * 8); double *f = malloc(K * 8); memcpy(f, u[9].v, K * 8); free(u[9].v); u[9].v = f;
        t = g[0]; g[0] = g[2]; g[2] = t; if (e == 3) { free(g[1]); g[1] = calloc(9, 8); }
    }
    double s = 0; for (int i = 0; i < nu; i++) for (int k = 0; k < K; k++) s += u[i].v[k] * (i + k);
    printf("%.17g %.17g %.17g %.17g\n", s, g[0][1], g[1][3], g[2][0]);
    return 0;
}
