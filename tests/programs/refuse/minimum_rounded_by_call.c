/* expect: serial ORR2201 11:22 `best` */
/* fminf makes another number of a double, the one it begins with included. */
#include <math.h>

double least(const double *x, int n);

double least(const double *x, int n) {
    double best = 0.1;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        best = fminf(best, x[i]);
    return best;
}
