/* Jacobi relaxation over double ** grids with pointer swaps; the largest change by fmax.
 * loop: parallel reduction
 * result: same
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double **grid(int n, int m) {
    double **g = malloc(n * sizeof *g);
    for (int i = 0; i < n; i++)
        g[i] = calloc(m, sizeof **g);
    return g;
}

static double relax(double **old, double **new, int n, int m) {
    double change = 0;
#pragma orrery parallel
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            new[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
            change = fmax(change, fabs(new[i][j] - old[i][j]));
        }
    return change;
}

int main(void) {
    int n = 24, m = 20;
    double **a = grid(n, m), **b = grid(n, m);
    for (int j = 0; j < m; j++)
        a[0][j] = b[0][j] = 10;
    for (int it = 0; it < 15; it++) {
        double d = relax(a, b, n, m), **t = a;
        a = b;
        b = t;
        if (it % 5 == 4)
            printf("%.9f %.9f\n", d, a[1][m / 2]);
    }
    return 0;
}
