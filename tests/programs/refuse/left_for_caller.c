/* expect: serial ORR2232 21:16 `fill(` */
/* rows of their own lengths: what the longest one left is read behind the loop, in a function that the
 * loop calls, too */
static double t[64];
static double sum(int n);
static double fill(const double *x, int n) {
    double s = 0;
    for (int k = 0; k < n; ++k)
        t[k] = x[k] * x[k];
    return s + sum(n);
}
static double sum(int n) {
    double s = 0;
    for (int k = 0; k < n; ++k)
        s += t[k];
    return s;
}
double f(const double *restrict x, double *restrict y, const int *restrict length, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++)
        y[i] = fill(x + i * 64, length[i]);
    return sum(64);
}
