/*
 * k-means over clusters that are structures with rows inside; which one an example adds to is found in the body.
 * loop: parallel reduction
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
    double **x = malloc(n * sizeof *x);
    int *label = calloc(n, sizeof *label);
    cluster *cs = malloc(k * sizeof *cs);
    srand(5);
    for (int i = 0; i < n; i++) {
        x[i] = malloc(d * sizeof **x);
        for (int j = 0; j < d; j++)
            x[i][j] = rand() / (double)RAND_MAX + i % k;
    }
    for (int c = 0; c < k; c++) {
        cs[c].mean = malloc(d * sizeof(double));
        cs[c].sum = calloc(d, sizeof(double));
        cs[c].count = 0;
        for (int j = 0; j < d; j++)
            cs[c].mean[j] = x[c][j];
    }
    for (int it = 0; it < 5; it++) {
        int moved = 0;
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
            if (label[i] != best)
                moved++;
            label[i] = best;
            cs[best].count++;
            for (int j = 0; j < d; j++)
                cs[best].sum[j] += x[i][j];
        }
        for (int c = 0; c < k; c++) {
            for (int j = 0; j < d; j++) {
                if (cs[c].count)
                    cs[c].mean[j] = cs[c].sum[j] / cs[c].count;
                cs[c].sum[j] = 0;
            }
            cs[c].count = 0;
        }
        printf("%d moved\n", moved);
    }
    for (int c = 0; c < k; c++)
        printf("%.12g\n", cs[c].mean[3]);
    return 0;
}
