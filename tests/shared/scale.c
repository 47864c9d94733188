void scale(double *x, long n, double a) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] = x[i] * a + i;
}

/* What of x the loop reads hangs on `at`, so its size has to be known. */
void gather(double *y, const double *x, const int *at, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        y[i] = x[at[i]];
}
