/* Ridge regression per group with scratch as VLAs in a function of the body, features at double **.
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

static void ridge(int n, int d, double **x, const double *y, double *w) {
    double a[d][d], b[d];
    for (int i = 0; i < d; i++) {
        b[i] = 0;
        for (int j = 0; j < d; j++) a[i][j] = i == j;
    }
    for (int t = 0; t < n; t++)
        for (int i = 0; i < d; i++) {
            b[i] += x[t][i] * y[t];
            for (int j = 0; j < d; j++) a[i][j] += x[t][i] * x[t][j];
        }
    for (int c = 0; c < d; c++)
        for (int r = c + 1; r < d; r++) {
            double f = a[r][c] / a[c][c];
            for (int k = c; k < d; k++) a[r][k] -= f * a[c][k];
            b[r] -= f * b[c];
        }
    for (int r = d - 1; r >= 0; r--) {
        w[r] = b[r];
        for (int k = r + 1; k < d; k++) w[r] -= a[r][k] * w[k];
        w[r] /= a[r][r];
    }
}

int main(void) {
    int groups = 20, per = 9, d = 3;
    double **x = malloc(groups * per * sizeof *x), *y = malloc(groups * per * sizeof *y), *w = malloc(groups * d * sizeof *w);
    for (int t = 0; t < groups * per; t++) {
        x[t] = malloc(d * sizeof **x);
        for (int i = 0; i < d; i++) x[t][i] = (t * (i + 2) % 7) * .4;
        y[t] = t % 11;
    }
#pragma orrery parallel
    for (int g = 0; g < groups; g++)
        ridge(per, d, x + g * per, y + g * per, w + g * d);
    for (int g = 0; g < groups; g += 6) printf("%.10f %.10f\n", w[g * d], w[g * d + 2]);
    return 0;
}
