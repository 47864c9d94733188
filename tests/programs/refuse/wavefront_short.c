/* expect: serial ORR2112 8:20 `t[k - 1]` */
/* The wavefront that there is would hand on blocks of sixteen positions at most. */
void smooth(double *restrict out, const double *restrict in, int n) {
    static double t[16];
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        for (int k = 1; k < 16; ++k)
            t[k] = t[k - 1] * .5 + t[k] * .5 + in[i];
        out[i] = t[15];
    }
}
