/* expect: parallel reduction unordered
 * reductions: max most
 */
#include <math.h>

double maximum(const double *x, long count) {
    double most = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        most = fmax(most, fabs(x[n]));
    return most;
}
