/* expect: serial ORR2205 7:9 `p[c[i]]` */
/* says: it is one of two pointers */
void f(double *w, double *v, const int *c, long n) {
#pragma orrery parallel unordered relax(w)
    for (long i = 0; i < n; ++i) {
        double *p = i % 2 ? v : w;
        p[c[i]] += w[c[i]] + v[i];
    }
}
