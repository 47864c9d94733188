/* expect: serial ORR2231 11:18 `t[a][b]` */
#include <stdlib.h>
void step(int n, int K, const double *x, double *y) {
    double **t = malloc(K * sizeof *t);
    for (int a = 0; a < K; a++) t[a] = calloc(K, sizeof **t);
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        for (int a = 1; a < K; a++) for (int b = 0; b < K; b++) t[a][b] = x[i] + b;
        double s = 0;
        for (int a = 0; a < K; a++) for (int b = 0; b < K; b++)
            s += t[a][b];
        y[i] = s;
    }
}
