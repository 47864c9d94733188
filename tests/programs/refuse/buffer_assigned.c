/* expect: serial ORR3132 10:9 `w[j[i]]` */
/* says: `w[j[i]]` is changed otherwise than by `+=` or `-=` in the body */
static void add(double *w, double u, long i) {
    (void)i;
    *w += u;
}
void f(double *w, const double *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] = w[j[i]] * .5 + g[i];
}
