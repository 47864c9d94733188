/* emit: 1 */
#include <stdio.h>
#include <stdlib.h>

static void scale(const double *x, double *y, int n, double a) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        y[i] = a * x[i] + 1;
    }
}

int main(void) {
    int n = 1000;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; ++i)
        x[i] = i * .5;
    scale(x, y, n, 3);
    for (int i = 0; i < n; i += 37)
        printf("%g ", y[i]);
    printf("\n");
    free(x), free(y);
    return 0;
}
