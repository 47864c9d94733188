/* expect: serial ORR2105 12:17 `w[p->index]` */
struct node {
    int index;
    double value;
};

void train(int n, struct node *const *x, double *w) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        if (w[i] > 0)
            for (const struct node *p = x[i]; p->index >= 0; ++p)
                w[p->index] += w[i] * p->value;
    }
}
