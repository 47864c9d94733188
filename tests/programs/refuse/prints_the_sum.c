/* expect: serial ORR2211 9:13 `printf("%d %f\n", i, sum)` */
#include <stdio.h>
double show(int n, const double *x) {
    double sum = 0;
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        sum += x[i];
        if (i % 100 == 0)
            printf("%d %f\n", i, sum);
    }
    return sum;
}
