/* expect: serial ORR2105 19:9 `p->count` */
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
        {
            int best = 1;
            p->sum[best] += x[i];
        }
        p->count++;
    }
}
