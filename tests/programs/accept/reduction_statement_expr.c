/* expect: parallel reduction ordered
 * carried: none
 */
#define max(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__(a) a_ = (a);                                                                    \
        __typeof__(b) b_ = (b);                                                                    \
        b_ > a_ ? b_ : a_;                                                                         \
    })
double peak(const double *x, long count) {
    double m = x[0];
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        m = max(m, x[n]);
    return m;
}
