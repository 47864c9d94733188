/* expect: serial ORR2211 6:23 `printf("%d\n", i)` */
#include <stdio.h>
void show(int n, const double *x, double *y) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i)
        y[i] = x[i] + printf("%d\n", i);
}
