/* expect: serial ORR2111 8:5 `m->grad` */
/* a copy of the model cannot stand for it: its results stand in it */
struct model {
    double out[500];
    double *grad;
};
static void add(struct model *m, int j, double x) {
    m->grad[j] += x;
}
void f(struct model *m, const int *ptr, const int *idx, const double *x) {
#pragma orrery parallel unordered
    for (int i = 0; i < 500; i++) {
        m->out[i] = x[ptr[i]];
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            add(m, idx[p], x[p]);
    }
}
