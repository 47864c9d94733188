/* expect: serial ORR2231 12:22 `t[a][b]` */
/* rows of the table that an earlier iteration has filled */
void pass(const float *restrict x, float *restrict y, float **t, long n, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        for (int a = 1; a < K; ++a)
            for (int b = 0; b < K; ++b)
                t[a][b] = x[i * K + a] * x[i * K + b];
        float s = 0;
        for (int a = 0; a < K; ++a)
            for (int b = 0; b < K; ++b)
                s += t[a][b];
        y[i] = s;
    }
}
