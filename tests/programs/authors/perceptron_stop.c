/*
 * A perceptron with early stopping, whose wrong examples are counted in the marked loop and shown in one epoch.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int n = 500, d = 8;
    double **X = malloc(n * sizeof *X), *w = calloc(d + 1, sizeof *w);
    int *y = malloc(n * sizeof *y);
    srand(2);
    for (int i = 0; i < n; i++) {
        X[i] = malloc(d * sizeof **X);
        double s = 0;
        for (int j = 0; j < d; j++) {
            X[i][j] = rand() / (double)RAND_MAX - .5;
            s += X[i][j] * (j - 3);
        }
        y[i] = s > 0 ? 1 : -1;
    }
    int epoch, patience = 0, bestm = n;
    for (epoch = 0; epoch < 100; epoch++) {
        int mistakes = 0;
        for (int i = 0; i < n; i++) {
            double s = w[d];
            for (int j = 0; j < d; j++)
                s += w[j] * X[i][j];
            if (s * y[i] <= 0) {
                for (int j = 0; j < d; j++)
                    w[j] += .1 * y[i] * X[i][j];
                w[d] += .1 * y[i];
            }
        }
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double s = w[d];
            for (int j = 0; j < d; j++)
                s += w[j] * X[i][j];
            if (s * y[i] <= 0) {
                mistakes++;
                if (epoch == 3)
                    fprintf(stdout, "still wrong: %d (%.5f)\n", i, s);
            }
        }
        if (mistakes < bestm) {
            bestm = mistakes;
            patience = 0;
        } else if (++patience >= 5)
            break;
        if (mistakes == 0)
            break;
    }
    printf("%d %d %.9g\n", epoch, bestm, w[2]);
}
