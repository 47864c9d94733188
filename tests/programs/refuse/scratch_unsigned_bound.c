/* expect: serial ORR2231 9:18 `t[k + 5]` */
/* Below zero `low` is a large number for the first loop, which then sets nothing. */
void smooth(int n, int low, const double *restrict in, double *restrict out, double t[64]) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double s = 0;
        for (unsigned long k = low; k < 10; ++k) t[k + 5] = in[i] * (double)k;
        for (int k = low; k < 10; ++k)
            s += t[k + 5];
        out[i] = s;
    }
}
