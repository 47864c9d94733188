/*
 * k-means over pointers to clusters; which one an example adds to is found in the body.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
struct cluster {
    int count;
    double *sum;
};
static double **x;
static int n = 5000, d = 8, k = 10;
static struct cluster **c;
static double *centre;
static void assign(void) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int best = 0;
        double bd = 1e300;
        for (int j = 0; j < k; j++) {
            double s = 0;
            for (int q = 0; q < d; q++) {
                double t = x[i][q] - centre[j * d + q];
                s += t * t;
            }
            if (s < bd) {
                bd = s;
                best = j;
            }
        }
        c[best]->count++;
        for (int q = 0; q < d; q++)
            c[best]->sum[q] += x[i][q];
    }
}
int main(void) {
    x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++) {
        x[i] = malloc(d * sizeof(double));
        for (int q = 0; q < d; q++)
            x[i][q] = (double)((i * 37 + q * 11) % 101);
    }
    c = malloc(k * sizeof *c);
    centre = malloc(k * d * sizeof *centre);
    for (int j = 0; j < k; j++) {
        c[j] = malloc(sizeof **c);
        c[j]->count = 0;
        c[j]->sum = calloc(d, sizeof(double));
        for (int q = 0; q < d; q++)
            centre[j * d + q] = x[j * 7][q];
    }
    for (int t = 0; t < 5; t++) {
        for (int j = 0; j < k; j++) {
            c[j]->count = 0;
            for (int q = 0; q < d; q++)
                c[j]->sum[q] = 0;
        }
        assign();
        for (int j = 0; j < k; j++)
            if (c[j]->count)
                for (int q = 0; q < d; q++)
                    centre[j * d + q] = c[j]->sum[q] / c[j]->count;
    }
    for (int j = 0; j < k; j++)
        printf("%d %d %.17g\n", j, c[j]->count, centre[j * d]);
}
