/*
 * Decision stumps boosted: the best feature, threshold and polarity are kept in a structure.
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel independent
 * loop: parallel reduction
 * ranks: 2
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int feature;
    double threshold;
    int polarity;
    double alpha, error;
} Stump;
static int n = 300, d = 12;
static double predict(const Stump *s, const double *x) {
    return s->polarity * (x[s->feature] < s->threshold ? 1.0 : -1.0);
}
int main(void) {
    double **X = malloc(n * sizeof *X);
    int *y = malloc(n * sizeof *y);
    double *w = malloc(n * sizeof *w);
    srand(1);
    for (int i = 0; i < n; i++) {
        X[i] = malloc(d * sizeof **X);
        for (int j = 0; j < d; j++)
            X[i][j] = rand() / (double)RAND_MAX;
        y[i] = X[i][2] + X[i][5] > 1 ? 1 : -1;
        w[i] = 1.0 / n;
    }
    Stump ensemble[10];
    for (int t = 0; t < 10; t++) {
        Stump best = {0, 0, 1, 0, DBL_MAX};
#pragma orrery parallel
        for (int f = 0; f < d; f++) {
            for (int k = 0; k < n; k++) {
                double thr = X[k][f], err = 0;
                for (int i = 0; i < n; i++) {
                    int p = X[i][f] < thr ? 1 : -1;
                    if (p != y[i])
                        err += w[i];
                }
                int pol = 1;
                if (err > 0.5) {
                    err = 1 - err;
                    pol = -1;
                }
                if (err < best.error) {
                    best.feature = f;
                    best.threshold = thr;
                    best.polarity = pol;
                    best.error = err;
                }
            }
        }
        best.alpha = 0.5 * log((1 - best.error + 1e-10) / (best.error + 1e-10));
        double total = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            w[i] *= exp(-best.alpha * y[i] * predict(&best, X[i]));
            total += w[i];
        }
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            w[i] /= total;
        ensemble[t] = best;
        printf("%d: feature %d threshold %.4f error %.6f\n", t, best.feature, best.threshold,
               best.error);
    }
    int right = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int t = 0; t < 10; t++)
            s += ensemble[t].alpha * predict(&ensemble[t], X[i]);
        if ((s > 0 ? 1 : -1) == y[i])
            right++;
    }
    printf("%d\n", right);
}
