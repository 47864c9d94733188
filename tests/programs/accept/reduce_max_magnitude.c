/* expect: parallel reduction ordered
 * reductions: max worst
 */
#include <math.h>

double largest(const double *x, long count) {
    double worst = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        if (fabs(x[n]) > worst)
            worst = fabs(x[n]);
    return worst;
}
