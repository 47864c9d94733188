/* expect: serial ORR2111 7:24 `v[c[p]]` */
/* says: many elements of v, chosen by c[p] */
void f(double *w, double *v, const long *p0, const int *c, long n) {
#pragma orrery parallel unordered relax(w)
    for (long i = 0; i < n; ++i)
        for (long p = p0[i]; p < p0[i + 1]; ++p) {
            w[c[p]] -= v[c[p]] * w[c[p]];
            v[c[p]] *= w[c[p]];
        }
}
