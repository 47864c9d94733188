/* expect: serial ORR3120 5:25 `relax(w)` */
/* says: relax says nothing of this loop: it does not use `w` */
void f(double *y, const double *x, double *w, long n) {
    w[0] = 0;
#pragma orrery parallel relax(w)
    for (long i = 0; i < n; ++i)
        y[i] = x[i];
}
