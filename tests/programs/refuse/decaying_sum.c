/* expect: serial ORR2104 6:21 `a[n - 1]` */
/* no plain sum: the one before counts by a half */
void smooth(double *a, const double *x, long count) {
#pragma orrery parallel
    for (long n = 1; n < count; ++n)
        a[n] = .5 * a[n - 1] + x[n];
}
