/* expect: serial ORR3132 13:9 `update(w, j[i], g[i] * w[j[i]])` */
/* says: is changed otherwise than by `+=` or `-=` in the body */
static void add(double *w, double u, long i) {
    (void)i;
    *w += u;
}
static void update(double *w, int j, double g) {
    w[j] -= g;
}
void f(double *w, const double *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        update(w, j[i], g[i] * w[j[i]]);
}
