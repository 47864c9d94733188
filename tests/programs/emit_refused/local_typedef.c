/* ORR2305 */
void f(double *x, long n) {
    typedef float real;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        real y = (real)x[i];
        x[i] = y;
    }
}
