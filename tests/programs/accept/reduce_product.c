/* expect: parallel reduction unordered
 * reductions: * p
 */
double product(const double *x, long count) {
    double p = 1;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        p *= x[n];
    return p;
}
