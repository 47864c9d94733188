/* expect: serial ORR3131 11:16 `w` */
/* says: it is one number: make it an array of one element */
static void add(double *w, double u, long i) {
    (void)i;
    *w += u;
}
double f(double w, double *g, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i) {
        w -= g[i] * w;
        g[i] = w;
    }
    return w;
}
