/*
 * Logistic regression over double **x by full gradients.
 * loop: parallel reduction
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 1500, d = 20, steps = 10;
    srand(3);
    double **x = malloc(n * sizeof(double *));
    int *y = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        x[i] = malloc(d * sizeof(double));
        double s = 0;
        for (int j = 0; j < d; j++) {
            x[i][j] = rand() / (double)RAND_MAX - 0.5;
            s += x[i][j] * (j % 3 - 1);
        }
        y[i] = s > 0;
    }
    double *w = calloc(d, sizeof(double));
    double *grad = malloc(d * sizeof(double));
    for (int step = 0; step < steps; step++) {
        double loss = 0;
        for (int j = 0; j < d; j++)
            grad[j] = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double z = 0;
            for (int j = 0; j < d; j++)
                z += w[j] * x[i][j];
            double p = 1 / (1 + exp(-z));
            loss -= y[i] ? log(p) : log(1 - p);
            for (int j = 0; j < d; j++)
                grad[j] += (p - y[i]) * x[i][j];
        }
        for (int j = 0; j < d; j++)
            w[j] -= 2.0 / n * grad[j];
        printf("step %d loss %.6f\n", step, loss / n);
    }
    for (int j = 0; j < d; j++)
        printf("%.9g ", w[j]);
    printf("\n");
    return 0;
}
