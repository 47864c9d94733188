/* expect: serial ORR2219 8:16 `lgamma(` */
#include <math.h>

void f(const double *restrict x, double *restrict y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        y[i] = x[i] /
               lgamma(x[i]);
}
