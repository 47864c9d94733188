/* K-means, assignment and new sums in one loop over flat arrays; the old centres are only read.
 * loop: parallel reduction
 * result: near 1e-6
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *x, *mu, *sum;
static int *size, *assign, N = 300, D = 3, K = 5;

static int nearest(const double *p) {
    int best = -1;
    double dmin = DBL_MAX;
    for (int c = 0; c < K; c++) {
        double d = 0;
        for (int j = 0; j < D; j++)
            d += (p[j] - mu[c * D + j]) * (p[j] - mu[c * D + j]);
        if (d < dmin) {
            dmin = d;
            best = c;
        }
    }
    return best;
}

int main(void) {
    x = malloc(sizeof(double) * N * D);
    mu = malloc(sizeof(double) * K * D);
    sum = malloc(sizeof(double) * K * D);
    size = malloc(sizeof(int) * K);
    assign = malloc(sizeof(int) * N);
    for (int i = 0; i < N * D; i++)
        x[i] = (i * 7919 % 101) / 10.0 + (i / D % K) * 3;
    memcpy(mu, x, sizeof(double) * K * D);
    memset(assign, 0, sizeof(int) * N);
    for (int it = 0; it < 5; it++) {
        int moved = 0;
        memset(sum, 0, sizeof(double) * K * D);
        memset(size, 0, sizeof(int) * K);
#pragma orrery parallel unordered
        for (int i = 0; i < N; i++) {
            int c = nearest(x + i * D);
            if (assign[i] != c)
                moved++;
            assign[i] = c;
            size[c]++;
            for (int j = 0; j < D; j++)
                sum[c * D + j] += x[i * D + j];
        }
        for (int c = 0; c < K; c++)
            for (int j = 0; j < D; j++)
                if (size[c])
                    mu[c * D + j] = sum[c * D + j] / size[c];
        printf("%d %.6f\n", moved, mu[0]);
    }
    return 0;
}
