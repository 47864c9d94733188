/* Sums into two rows behind a table; the argument says how far apart they stand. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = 100;
    double *x = malloc(n * sizeof *x), **g = malloc(2 * sizeof *g), *q = calloc(10, sizeof *q);
    for (int i = 0; i < n; i++)
        x[i] = i;
    g[0] = q;
    g[1] = q + (argc > 1 ? atoi(argv[1]) : 5);
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 5; k++)
                g[j][k] += x[i];
    printf("%g %g %g\n", q[0], q[3], q[6]);
    return 0;
}
