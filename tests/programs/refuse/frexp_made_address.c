/* expect: serial ORR2205 9:28 `p` */
#include <math.h>

/* The address is made of a number: where the exponent goes nobody knows. */
void f(const double *restrict x, double *restrict y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int *p = (int *)(long)x[i];
        y[i] = frexp(x[i], p);
    }
}
