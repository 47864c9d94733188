/* expect: serial ORR2232 25:16 `fill(` */
/* rows of their own lengths: what the longest one left is read behind the loop, through a pointer
 * that was set to it */
static double t[64];
static double sum(int n);
static double fill(const double *x, int n) {
    double s = 0;
    for (int k = 0; k < n; ++k)
        t[k] = x[k] * x[k];
    return s + sum(n);
}
static const double *kept;
static const double *keep(const double *p) {
    return kept = p;
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
    return kept ? kept[9] : keep(t)[8];
}
