/* expect: parallel reduction unordered
 * reductions: + rest
 */
double spend(const double *x, long count, double rest) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        rest -= x[n];
    return rest;
}
