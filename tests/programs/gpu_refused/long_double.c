/* expect: ORR2461 4 */
void scale(double *x, const double *y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        long double wide = y[i];
        x[i] = (double)(wide * wide);
    }
}
