#include "scale.h"

void scale(double *y, const double *x, double a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        y[i] = a * x[i];
}
