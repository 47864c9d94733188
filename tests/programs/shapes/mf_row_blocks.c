/* Tables of row pointers into one block, as matrix helpers allocate them: W[0] = malloc, W[i] = W[i - 1] + K.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>
static double **block_matrix(int n, int m) {
    double **a = malloc(n * sizeof *a);
    a[0] = malloc(n * m * sizeof **a);
    for (int i = 1; i < n; i++) a[i] = a[i - 1] + m;
    for (int i = 0; i < n * m; i++) a[0][i] = .3 + .01 * (i % 7);
    return a;
}
int main(void) {
    int n = 600, K = 5;
    double **W = block_matrix(40, K), **H = block_matrix(30, K);
    int *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    double *r = malloc(n * sizeof *r);
    for (int t = 0; t < n; t++) u[t] = t * 7 % 40, v[t] = (t * 3 + t / 40) % 30, r[t] = 1 + t % 3;
    for (int e = 0; e < 3; e++) {
        double s = 0;
#pragma orrery parallel unordered
        for (int t = 0; t < n; t++) {
            double *w = W[u[t]], *h = H[v[t]], d = r[t];
            for (int k = 0; k < K; k++) d -= w[k] * h[k];
            s += d * d;
            for (int k = 0; k < K; k++) { double x = w[k]; w[k] += .02 * d * h[k]; h[k] += .02 * d * x; }
        }
        printf("%.4f\n", s);
    }
    return 0;
}
