/* expect: serial ORR3120 4:25 `sync(steps = 4)` */
/* says: there is no relax(...) or buffer(...) whose arrays would be merged */
void f(double *y, const double *x, long n) {
#pragma orrery parallel sync(steps = 4)
    for (long i = 0; i < n; ++i)
        y[i] = x[i];
}
