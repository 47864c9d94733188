/* expect: serial ORR2211 10:13 `printf("%d %d\n", i, sum)` */
/* each sum is cut to a whole number: what an iteration adds is not known without those before */
#include <stdio.h>
int show(int n, const double *x) {
    int sum = -500;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        sum += x[i] * 0.3;
        if (i % 100 == 0)
            printf("%d %d\n", i, sum);
    }
    return sum;
}
