/* expect: serial ORR2105 16:9 `p->count` */
struct cluster {
    int count;
    double *sum;
};
static struct cluster **c;
void assign(int first, int n, int k, const double *restrict x, const double *restrict border) {
#pragma orrery parallel
    for (int i = first; i < n; ++i) {
        int best = 0;
        for (int j = 0; j < k; ++j)
            if (x[i] > border[j])
                best = j;
        struct cluster *p = c[best];
        best = (best + 1) % k;
        p->count++;
        p->sum[1] += best;
    }
}
