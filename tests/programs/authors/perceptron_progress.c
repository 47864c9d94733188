/*
 * A perceptron's predictions, printed for every thousandth example in the marked loop.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
#define F 12
int main(void) {
    int n = 5000;
    srand(5);
    double(*x)[F] = malloc(n * sizeof *x);
    int *y = malloc(n * sizeof(int)), *pred = malloc(n * sizeof(int));
    double w[F] = {0};
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < F; j++) {
            x[i][j] = rand() / (double)RAND_MAX - .5;
            s += x[i][j] * (j - 5);
        }
        y[i] = s > 0 ? 1 : -1;
    }
    for (int epoch = 0; epoch < 3; epoch++) {
        int errors = 0;
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = 0; j < F; j++)
                s += w[j] * x[i][j];
            if (y[i] * s <= 0) {
                errors++;
                for (int j = 0; j < F; j++)
                    w[j] += y[i] * x[i][j];
            }
        }
        printf("epoch %d errors %d\n", epoch, errors);
    }
    int right = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < F; j++)
            s += w[j] * x[i][j];
        pred[i] = s > 0 ? 1 : -1;
        right += pred[i] == y[i];
        if (i % 1000 == 0)
            printf("example %d: predicted %d, is %d (%.4f)\n", i, pred[i], y[i], s);
    }
    printf("%d right\n", right);
    return 0;
}
