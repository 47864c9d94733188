/* Expected counts in a table whose rows are counted from 1, each pointer in front of its memory. */
#include <stdio.h>
#include <stdlib.h>

static double **table(int rows, int columns) {
    double **m = (double **)calloc((unsigned)rows, sizeof(double *)) - 1;
    for (int i = 1; i <= rows; i++)
        m[i] = (double *)calloc((unsigned)columns, sizeof(double)) - 1;
    return m;
}

int main(void) {
    int n = 300, states = 3, symbols = 4, *seen = malloc(n * sizeof *seen);
    double **counts = table(states, symbols);
    for (int t = 0; t < n; t++)
        seen[t] = 1 + t * 7 % symbols;
#pragma orrery parallel
    for (int t = 0; t < n; t++)
        for (int i = 1; i <= states; i++)
            counts[i][seen[t]] += t % 5 * i;
    for (int i = 1; i <= states; i++)
        printf("%g %g\n", counts[i][1], counts[i][symbols]);
    return 0;
}
