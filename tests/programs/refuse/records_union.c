/* expect: serial ORR2204 11:13 `w[idx[k]]` */
/* what chooses the weights is written by another name of the same pointer */
union data { int *idx; float *val; };
struct example { int n; union data data; };
void train(struct example **ex, int m, double *w) {
#pragma orrery parallel
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < ex[i]->n; ++k) {
            struct example *x = ex[i];
            int *idx = x->data.idx;
            w[idx[k]] = w[idx[k]] * .5 + 1;
            x->data.val[k] = .5f;
        }
}
