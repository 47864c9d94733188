/* expect: serial ORR2211 7:9 `printf("%s %f\n", name[i], y[i])` */
#include <stdio.h>
void show(int n, const double *x, double *y, const char *const *name) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        y[i] = 2 * x[i];
        printf("%s %f\n", name[i], y[i]);
    }
}
