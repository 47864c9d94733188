/* expect: serial ORR2205 21:13 `swap(0, best)` */
struct cluster {
    int count;
    double *sum;
};
static struct cluster **c;
static void swap(int a, int b) {
    struct cluster *t = c[a];
    c[a] = c[b];
    c[b] = t;
}
void assign(int n, int k, const double *restrict x, const double *restrict border) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        int best = 0;
        for (int j = 0; j < k; ++j)
            if (x[i] > border[j])
                best = j;
        struct cluster *p = c[best];
        if (x[i] == 5)
            swap(0, best);
        p->count++;
        p->sum[1] += x[i];
    }
}
