/* expect: parallel reduction unordered
 * reductions: hypot norm
 */
#include <math.h>

double length(const double *x, long count) {
    double norm = 0;
#pragma orrery parallel unordered reduction(hypot : norm)
    for (long n = 0; n < count; ++n)
        norm = hypot(norm, x[n]);
    return norm;
}
