/* expect: serial ORR3120 4:25 `assume(monotone(ptr))` */
/* says: monotone says nothing of this loop: it does not use `ptr` */
void f(double *y, const double *x, const int *ptr, long n) {
#pragma orrery parallel assume(monotone(ptr))
    for (long i = 0; i < n; ++i)
        y[i] = x[i];
}
