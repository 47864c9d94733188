#include "scale.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    long n = 100000;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    if (!x || !y)
        return 1;
    for (long i = 0; i < n; ++i)
        x[i] = (double)i;
    scale(y, x, 3, n);
    printf("%g\n", y[n - 1]);
    free(x);
    free(y);
    return 0;
}
