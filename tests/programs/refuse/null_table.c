/* expect: serial ORR2205 13:9 `put(NULL, x, i)` */
#include <stddef.h>
static void put(double *out, const double *x, long i) {
    if (i > 3)
        (void)x;
    if (out || x[i] > 0)
        out[0] = x[i];
}
void f(const double *x, double *y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        y[i] = x[i];
        put(NULL, x, i);
    }
}
