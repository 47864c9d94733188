/*
 * Linear regression by SGD that prints its progress every so often and stops for bad data.
 * loop: parallel reduction
 */
#include <stdio.h>
#include <stdlib.h>

#define D 6

int main(void) {
    int n = 1000;
    double(*x)[D] = malloc(n * sizeof *x), *y = malloc(n * sizeof *y),
    *pred = malloc(n * sizeof *pred);
    double w[D] = {0.5, 0.4, 0.3, 0.2, 0.1, 0};
    srand(90);
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < D; j++) {
            x[i][j] = rand() / (double)RAND_MAX;
            y[i] += x[i][j] * (j + 1);
        }
    }
    double total = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        pred[i] = 0;
        for (int j = 0; j < D; j++)
            pred[i] += w[j] * x[i][j];
        if (pred[i] != pred[i]) {
            printf("example %d is not a number\n", i);
            exit(1);
        }
        total += (pred[i] - y[i]) * (pred[i] - y[i]);
        if (i % 100 == 0)
            printf("%d of %d: prediction %.9g\n", i, n, pred[i]);
    }
    printf("mse %.9g\n", total / n);
    return 0;
}
