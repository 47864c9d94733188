/* expect: serial ORR2233 11:17 `m->t[a][b] = x` */
/* says: that stands in a structure */
/* a table of rows that every iteration fills anew */
struct model { float **t; int K; };
void pass(const float *restrict x, float *restrict y, struct model *m, long n) {
    const int K = m->K;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        for (int a = 0; a < K; ++a)
            for (int b = 0; b < K; ++b)
                m->t[a][b] = x[i * K + a] * x[i * K + b];
        float s = 0;
        for (int a = 0; a < K; ++a)
            for (int b = 0; b < K; ++b)
                s += m->t[a][b];
        y[i] = s;
    }
}
