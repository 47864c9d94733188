/* expect: serial ORR3131 6:30 `w[u[i]][1]` */
/* says: its rows lie apart */
void f(double **w, const int *u, const double *x, long n) {
#pragma orrery parallel unordered relax(w)
    for (long i = 0; i < n; ++i)
        w[u[i]][0] += x[i] * w[u[i]][1];
}
