/* Values behind pointers to structures, each scaled by its own length.
 * loop: parallel independent
 * result: same
 * ranks: refused it is not known which rows of ex->val
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; int *idx; double *val; double label; } example;

static void scale(example **ex, int m) {
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        double s = 0;
        for (int k = 0; k < ex[i]->n; ++k) s += ex[i]->val[k] * ex[i]->val[k];
        for (int k = 0; k < ex[i]->n; ++k) ex[i]->val[k] /= s > 0 ? sqrt(s) : 1;
    }
}

int main(void) {
    int m = 600, F = 400;
    example **ex = malloc(m * sizeof *ex);
    for (int i = 0; i < m; ++i) {
        ex[i] = malloc(sizeof **ex);
        ex[i]->n = i % 7;
        ex[i]->idx = ex[i]->n ? malloc(ex[i]->n * sizeof(int)) : NULL;
        ex[i]->val = ex[i]->n ? malloc(ex[i]->n * sizeof(double)) : NULL;
        ex[i]->label = (i * 5 + i / 3) % 2;
        for (int k = 0; k < ex[i]->n; ++k) {
            ex[i]->idx[k] = (i * 17 + k * 29) % F;
            ex[i]->val[k] = 1 + (i + k) % 5;
        }
    }
    for (int pass = 0; pass < 2; ++pass) scale(ex, m);
    for (int i = 0; i < m; i += 37)
        for (int k = 0; k < ex[i]->n; ++k) printf("%.9g %d\n", ex[i]->val[k], ex[i]->idx[k]);
    return 0;
}
