/*
 * Gradient boosting: histograms of gradients per feature and bin, then the best split.
 * loop: parallel reduction
 */
#include <stdio.h>
#include <stdlib.h>

#define BINS 32

struct bin {
    double grad, hess;
    int count;
};

int main(void) {
    int n = 3000, features = 8;
    unsigned char **bins = malloc(n * sizeof(unsigned char *));
    double *grad = malloc(n * sizeof(double)), *pred = calloc(n, sizeof(double)),
           *y = malloc(n * sizeof(double));
    struct bin **hist = malloc(features * sizeof(struct bin *));
    srand(40);
    for (int i = 0; i < n; i++) {
        bins[i] = malloc(features);
        for (int f = 0; f < features; f++)
            bins[i][f] = rand() % BINS;
        y[i] = bins[i][2] > 11 ? 1 : bins[i][5] / 32.0;
    }
    for (int f = 0; f < features; f++)
        hist[f] = malloc(BINS * sizeof(struct bin));
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < n; i++)
            grad[i] = pred[i] - y[i];
        for (int f = 0; f < features; f++)
            for (int b = 0; b < BINS; b++)
                hist[f][b] = (struct bin){0, 0, 0};
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            for (int f = 0; f < features; f++) {
                struct bin *h = &hist[f][bins[i][f]];
                h->grad += grad[i];
                h->hess += 1;
                h->count++;
            }
        }
        int best_feature = 0, best_bin = 0;
        double best = -1, left_value = 0, right_value = 0;
        for (int f = 0; f < features; f++) {
            double gl = 0, hl = 0, g = 0, h = 0;
            for (int b = 0; b < BINS; b++) {
                g += hist[f][b].grad;
                h += hist[f][b].hess;
            }
            for (int b = 0; b < BINS - 1; b++) {
                gl += hist[f][b].grad;
                hl += hist[f][b].hess;
                double gain = gl * gl / (hl + 1) + (g - gl) * (g - gl) / (h - hl + 1);
                if (gain > best) {
                    best = gain;
                    best_feature = f;
                    best_bin = b;
                    left_value = -gl / (hl + 1);
                    right_value = -(g - gl) / (h - hl + 1);
                }
            }
        }
        for (int i = 0; i < n; i++)
            pred[i] += 0.3 * (bins[i][best_feature] <= best_bin ? left_value : right_value);
        printf("%d %d %.9g\n", best_feature, best_bin, best);
    }
    return 0;
}
