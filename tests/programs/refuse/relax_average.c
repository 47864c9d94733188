/* expect: serial ORR3130 6:9 `mean` */
/* says: `mean` is made of its own value before */
void f(double *x, double mean, long n) {
#pragma orrery parallel unordered relax(mean)
    for (long i = 0; i < n; ++i) {
        mean = .9 * mean + .1 * x[i];
        x[i] -= mean;
    }
}
