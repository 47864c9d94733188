/*
 * Hyperparameters tried in the marked loop, each by its own descent with early stopping and progress printed.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 200
#define D 8

static double x[N][D], y[N];

static double evaluate(const double *w, int from, int to) {
    double s = 0;
    for (int i = from; i < to; i++) {
        double e = -y[i];
        for (int j = 0; j < D; j++)
            e += w[j] * x[i][j];
        s += e * e;
    }
    return s / (to - from);
}

int main(void) {
    double result[12];
    srand(70);
    for (int i = 0; i < N; i++) {
        y[i] = 0.1 * (rand() % 10);
        for (int j = 0; j < D; j++) {
            x[i][j] = rand() / (double)RAND_MAX - 0.5;
            y[i] += x[i][j] * j;
        }
    }
    double best = INFINITY;
    int which = -1;
#pragma orrery parallel
    for (int c = 0; c < 12; c++) {
        double w[D] = {0}, rate = 0.02 * (c + 1), last = INFINITY;
        int epoch, bad = 0;
        for (epoch = 0; epoch < 50; epoch++) {
            for (int i = 0; i < 150; i++) {
                double e = -y[i];
                for (int j = 0; j < D; j++)
                    e += w[j] * x[i][j];
                for (int j = 0; j < D; j++)
                    w[j] -= rate * e * x[i][j];
            }
            double held = evaluate(w, 150, N);
            if (held >= last && ++bad >= 3)
                break;
            last = held;
        }
        result[c] = last;
        printf("rate %.2f: stopped after %d epochs, held-out error %.9g\n", rate, epoch, last);
        if (last < best) {
            best = last;
            which = c;
        }
    }
    printf("best %d %.17g\n", which, result[which]);
    return 0;
}
