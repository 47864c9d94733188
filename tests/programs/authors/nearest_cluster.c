/*
 * The nearest of clusters behind pointers in structures, and behind pointers to structures: which one is
 * found in the body.
 * loop: parallel independent
 * loop: parallel independent
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int count;
    double *mean, *sum;
} cluster;
int main(void) {
    int n = 3000, d = 8, k = 12;
    double **x = malloc(n * sizeof *x), *out = calloc(n, sizeof *out);
    int *label = calloc(n, sizeof *label);
    cluster *cs = malloc(k * sizeof *cs);
    cluster **cp = malloc(k * sizeof *cp);
    srand(5);
    for (int i = 0; i < n; i++) {
        x[i] = malloc(d * sizeof **x);
        for (int j = 0; j < d; j++)
            x[i][j] = rand() / (double)RAND_MAX + i % k;
    }
    for (int c = 0; c < k; c++) {
        cp[c] = malloc(sizeof **cp);
        cs[c].mean = cp[c]->mean = malloc(d * sizeof(double));
        cs[c].sum = cp[c]->sum = calloc(d, sizeof(double));
        cs[c].count = cp[c]->count = c;
        for (int j = 0; j < d; j++)
            cs[c].mean[j] = x[c][j];
    }
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int best = 0;
        double least = 1e300;
        for (int c = 0; c < k; c++) {
            double s = 0;
            for (int j = 0; j < d; j++) {
                double t = x[i][j] - cs[c].mean[j];
                s += t * t;
            }
            if (s < least) {
                least = s;
                best = c;
            }
        }
        label[i] = best;
        double q = cs[best].count;
        for (int j = 0; j < d; j++)
            q += cs[best].mean[j];
        out[i] = q;
    }
    double a = 0;
    for (int i = 0; i < n; i++)
        a += out[i] * (i % 7);
    printf("%.17g\n", a);
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int c = 0; c < k; c++)
            if (x[i][0] > c)
                best = c;
        double q = cp[best]->count;
        for (int j = 0; j < d; j++)
            q += cp[best]->mean[j];
        out[i] = q;
    }
    for (int i = 0; i < n; i++)
        a += out[i] * (i % 7);
    printf("%.17g\n", a);
    return 0;
}
