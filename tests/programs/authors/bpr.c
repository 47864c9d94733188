/*
 * Bayesian personalized ranking: a positive item and one sampled by rand() for each interaction.
 * loop: serial ORR2210
 * edit: rand() % 150; => (int)(orrery_random(1 + epoch, i) >> 33) % 150;
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIM 8

static double user[100][DIM], item[150][DIM];

int main(void) {
    int n = 2000;
    int *u = malloc(n * sizeof(int)), *pos = malloc(n * sizeof(int));
    srand(99);
    for (int i = 0; i < n; i++) {
        u[i] = rand() % 100;
        pos[i] = (u[i] + rand() % 30) % 150;
    }
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < DIM; k++)
            user[i][k] = (rand() / (double)RAND_MAX - 0.5) / DIM;
    for (int i = 0; i < 150; i++)
        for (int k = 0; k < DIM; k++)
            item[i][k] = (rand() / (double)RAND_MAX - 0.5) / DIM;
    for (int epoch = 0; epoch < 5; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            int neg = rand() % 150;
            double *a = user[u[i]], *p = item[pos[i]], *q = item[neg];
            double x = 0;
            for (int k = 0; k < DIM; k++)
                x += a[k] * (p[k] - q[k]);
            double g = 1 / (1 + exp(x));
            loss += log(1 + exp(-x));
            for (int k = 0; k < DIM; k++) {
                double t = a[k];
                a[k] += 0.05 * (g * (p[k] - q[k]) - 0.01 * t);
                p[k] += 0.05 * (g * t - 0.01 * p[k]);
                q[k] += 0.05 * (-g * t - 0.01 * q[k]);
            }
        }
        printf("epoch %d loss %.9g\n", epoch, loss / n);
    }
    return 0;
}
