/* expect: serial ORR2113 7:5 `for (long n = 0; n < ` */
/* says: is decided by the loop's own order */
/* of equal errors, -0.0 and 0.0, the first counts, and rows of different keys run in any order */
double least_error(double *w, const int *u, const double *v, long count) {
    double least = 1;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        double e = v[n] - w[u[n]];
        w[u[n]] += e / 8;
        if (e < least)
            least = e;
    }
    return least;
}
