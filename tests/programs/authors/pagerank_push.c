/*
 * PageRank, push along the outgoing edges in CSR.
 * loop: parallel reduction
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int n = 400, m = 3000;
    srand(14);
    int *row_ptr = malloc((n + 1) * sizeof(int)), *col_idx = malloc(m * sizeof(int));
    double *pr = malloc(n * sizeof(double)), *acc = malloc(n * sizeof(double));
    for (int u = 0; u <= n; u++)
        row_ptr[u] = (long)m * u / n;
    for (int e = 0; e < m; e++)
        col_idx[e] = rand() % n;
    for (int u = 0; u < n; u++)
        pr[u] = 1.0 / n;
    for (int it = 0; it < 10; it++) {
        memset(acc, 0, n * sizeof(double));
        double dangling = 0;
#pragma orrery parallel
        for (int u = 0; u < n; u++) {
            int degree = row_ptr[u + 1] - row_ptr[u];
            if (degree == 0) {
                dangling += pr[u];
                continue;
            }
            double share = pr[u] / degree;
            for (int e = row_ptr[u]; e < row_ptr[u + 1]; e++)
                acc[col_idx[e]] += share;
        }
        for (int u = 0; u < n; u++)
            pr[u] = 0.15 / n + 0.85 * (acc[u] + dangling / n);
    }
    printf("%.12g %.12g\n", pr[0], pr[n - 1]);
    return 0;
}
