/* expect: serial ORR2201 15:13 `m->n` */
/* a copy of the model cannot stand for it: the loop changes its size, too */
struct model {
    int n;
    double *grad;
};
static void add(struct model *m, int j, double x) {
    m->grad[j] += x;
}
void f(struct model *m, const int *idx, const double *x, int count) {
#pragma orrery parallel unordered
    for (int i = 0; i < count; i++) {
        add(m, idx[i] % 3, x[i]);
        if (x[i] > 5)
            m->n = i;
    }
}
