/* expect: serial ORR2111 14:35 `m->grad` */
/* the sums so far are used by every iteration */
struct model {
    int n;
    double *grad;
};
static void add(struct model *m, int j, double x) {
    m->grad[j] += x;
}
void f(struct model *m, const int *ptr, const int *idx, const double *x, int count) {
#pragma orrery parallel unordered
    for (int i = 0; i < count; i++)
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            add(m, idx[p], x[p] * m->grad[idx[p]]);
}
