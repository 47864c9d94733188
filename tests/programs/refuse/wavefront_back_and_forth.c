/* expect: serial ORR2403 7:9 `for (int i = n - 2; i > 0; --i)` */
void sweeps(int steps, int n, double *x) {
#pragma orrery parallel
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < n - 1; ++i)
            x[i] = .5 * (x[i - 1] + x[i + 1]);
        for (int i = n - 2; i > 0; --i)
            x[i] = .5 * (x[i - 1] + x[i + 1]);
    }
}
