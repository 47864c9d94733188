/* double ** tables allocated row by row in a helper, ids in int ** pairs, held-out rows skipped by continue.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

double **matrix(int rows, int cols, double base) {
    double **m = (double **)malloc(sizeof(double *) * rows);
    for (int r = 0; r < rows; r++) {
        m[r] = (double *)malloc(sizeof(double) * cols);
        for (int c = 0; c < cols; c++)
            m[r][c] = base + 0.01 * ((r * 13 + c * 5) % 17);
    }
    return m;
}

int main(void) {
    int users = 45, items = 35, rank = 7, n = 700;
    double **W = matrix(users, rank, 0.4);
    double **H = matrix(items, rank, 0.3);
    int *uid = (int *)malloc(n * sizeof(int));
    int *iid = (int *)malloc(n * sizeof(int));
    double *val = (double *)malloc(n * sizeof(double));
    char *test = (char *)malloc(n);
    for (int i = 0; i < n; i++) {
        uid[i] = (i * 7919 + 13) % users;
        iid[i] = (i * 104729 + 5) % items;
        val[i] = (uid[i] + 2 * iid[i]) % 5;
        test[i] = i % 10 == 3;
    }
    for (int pass = 0; pass < 3; pass++) {
        double total = 0;
        int used = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            if (test[i])
                continue;
            double *w = W[uid[i]];
            double *h = H[iid[i]];
            double e = val[i];
            for (int k = 0; k < rank; k++)
                e -= w[k] * h[k];
            total += e * e;
            used++;
            for (int k = 0; k < rank; k++) {
                double wk = w[k];
                w[k] += 0.01 * e * h[k];
                h[k] += 0.01 * e * wk;
            }
        }
        printf("%d %.6f\n", used, total / used);
    }
    return 0;
}
