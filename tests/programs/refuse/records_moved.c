/* expect: serial ORR2204 8:9 `w[x->idx[0]]` */
/* the loop sets the pointer through which it finds what chooses the weights */
struct example { int n; int *idx; double *val; };
void train(struct example **ex, int m, int **other, double *w) {
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        struct example *x = ex[i];
        w[x->idx[0]] = w[x->idx[0]] * .5 + x->val[0];
        ex[x->n]->idx = other[i];
    }
}
