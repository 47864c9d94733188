/* Minima of numbers, one of which may be none
 * (the argument says which); all four ways to write them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))

int main(int argc, char **argv) {
    int n = 4000, at = argc > 2 ? atoi(argv[2]) : -1;
    double *x = malloc(n * sizeof *x), low = 1e9;
    for (int i = 0; i < n; i++)
        x[i] = i * 7919 % 4001 - 2000 - (i < 1000 ? 5000 : 0);
    if (at >= 0)
        x[at] = NAN;
    if (at == -2)
        low = NAN;
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0:
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            low = MIN(low, x[i]);
        break;
    case 1:
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            low = MIN(x[i], low);
        break;
    case 2:
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            if (x[i] < low)
                low = x[i];
        break;
    default:
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            low = fmin(low, x[i]);
    }
    printf("%g\n", low);
    return 0;
}
