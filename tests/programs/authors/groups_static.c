/*
 * Sums and histograms of groups in a static array of structures, by a group that is computed in the body.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int id;
    double *sum;
    long n;
    struct {
        long count;
        int *hist;
    } side;
} group;
static group g[7];
int main(void) {
    int n = 4000, d = 5;
    double *x = malloc(n * d * sizeof *x);
    srand(3);
    for (int i = 0; i < n * d; i++)
        x[i] = rand() % 100;
    for (int c = 0; c < 7; c++) {
        g[c].sum = calloc(d, sizeof(double));
        g[c].side.hist = calloc(10, sizeof(int));
    }
    for (int pass = 0; pass < 3; pass++) {
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            int b = 0;
            for (int j = 0; j < d; j++)
                b += (int)x[i * d + j] / 3;
            b %= 7;
            g[b].n++;
            g[b].side.count += 2;
            g[b].side.hist[b] += 1 + pass;
            for (int j = 0; j < d; j++)
                g[b].sum[j] += x[i * d + j];
        }
    }
    for (int c = 0; c < 7; c++)
        printf("%ld %ld %g %g %d %d\n", g[c].n, g[c].side.count, g[c].sum[0], g[c].sum[4],
               g[c].side.hist[0], g[c].side.hist[9]);
    return 0;
}
