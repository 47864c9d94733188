/*
 * Logistic regression over jagged rows, adaptive rates; the mean loss and accuracy so far each 1000 rows.
 * loop: parallel levels
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nnz;
    int *idx;
    float *val;
    int label;
} example_t;

typedef struct {
    float *w;
    float *g2;
    int dim;
} lr_t;

static double sigmoid(double z) {
    if (z > 35)
        return 1;
    if (z < -35)
        return 0;
    return 1.0 / (1.0 + exp(-z));
}

int main(void) {
    int n = 6000, dim = 20000;
    srand(8);
    example_t *ex = malloc(n * sizeof *ex);
    for (int i = 0; i < n; i++) {
        ex[i].nnz = 5;
        ex[i].idx = malloc(5 * sizeof(int));
        ex[i].val = malloc(5 * sizeof(float));
        int s = 0;
        for (int k = 0; k < 5; k++) {
            ex[i].idx[k] = rand() % dim;
            ex[i].val[k] = 1;
            s += ex[i].idx[k] % 2;
        }
        ex[i].label = s > 2;
    }
    lr_t *lr = malloc(sizeof *lr);
    lr->dim = dim;
    lr->w = calloc(dim, sizeof(float));
    lr->g2 = calloc(dim, sizeof(float));
    for (int epoch = 0; epoch < 3; epoch++) {
        double total = 0;
        int correct = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double z = 0;
            for (int k = 0; k < ex[i].nnz; k++)
                z += lr->w[ex[i].idx[k]] * ex[i].val[k];
            double p = sigmoid(z);
            double err = p - ex[i].label;
            total += ex[i].label ? -log(p + 1e-12) : -log(1 - p + 1e-12);
            if ((p > 0.5) == ex[i].label)
                correct++;
            for (int k = 0; k < ex[i].nnz; k++) {
                float g = err * ex[i].val[k];
                int j = ex[i].idx[k];
                lr->g2[j] += g * g;
                lr->w[j] -= 0.1f * g / (sqrtf(lr->g2[j]) + 1e-6f);
            }
            if ((i + 1) % 1000 == 0)
                printf("  epoch %d  %6d examples  avg loss %.5f  acc %.4f\n", epoch, i + 1,
                       total / (i + 1), (double)correct / (i + 1));
        }
        printf("epoch %d: loss %.6f\n", epoch, total / n);
    }
    return 0;
}
