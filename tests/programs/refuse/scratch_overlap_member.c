/* expect: serial ORR2234 26:18 `fill(m, x + r * 8)` */
/* a variable is set to the address of the scratch space behind a structure */
struct model {
    double *sum;
    int n;
};

static double fill(struct model *m, const double *x) {
    for (int f = 0; f < m->n; ++f)
        m->sum[f] = x[f];
    return m->sum[0];
}

static double most(const double *sum, int n) {
    double best = 0;
    for (int f = 0; f < n; ++f)
        best = sum[f] > best ? sum[f] : best;
    return best;
}

double score(struct model *m, const double *x, long rows) {
    double total = 0, *sum;
    sum = m->sum;
#pragma orrery parallel
    for (long r = 0; r < rows; ++r)
        total += fill(m, x + r * 8) + most(sum, m->n);
    return total;
}
