/*
 * A factorization machine by stochastic gradients, sparse examples in CSR.
 * loop: serial ORR2470
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define K 4

static double w0, *w, **v;

static double predict(const int *idx, const double *val, int from, int to, double *sum) {
    double y = w0;
    for (int p = from; p < to; p++)
        y += w[idx[p]] * val[p];
    for (int f = 0; f < K; f++) {
        double s = 0, sq = 0;
        for (int p = from; p < to; p++) {
            double d = v[f][idx[p]] * val[p];
            s += d;
            sq += d * d;
        }
        sum[f] = s;
        y += 0.5 * (s * s - sq);
    }
    return y;
}

int main(void) {
    int n = 800, d = 200;
    srand(77);
    int *ptr = malloc((n + 1) * sizeof(int)), *idx = malloc(n * 6 * sizeof(int));
    double *val = malloc(n * 6 * sizeof(double)), *y = malloc(n * sizeof(double));
    for (int i = 0; i <= n; i++)
        ptr[i] = 6 * i;
    for (int p = 0; p < 6 * n; p++) {
        idx[p] = rand() % d;
        val[p] = 1;
    }
    for (int i = 0; i < n; i++)
        y[i] = idx[ptr[i]] % 5 - 2;
    w = calloc(d, sizeof(double));
    v = malloc(K * sizeof(double *));
    for (int f = 0; f < K; f++) {
        v[f] = malloc(d * sizeof(double));
        for (int j = 0; j < d; j++)
            v[f][j] = (rand() / (double)RAND_MAX - 0.5) / 10;
    }
    double rate = 0.02, reg = 0.001;
    for (int epoch = 0; epoch < 3; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double sum[K];
            double e = predict(idx, val, ptr[i], ptr[i + 1], sum) - y[i];
            loss += e * e;
            w0 -= rate * e;
            for (int p = ptr[i]; p < ptr[i + 1]; p++) {
                int j = idx[p];
                w[j] -= rate * (e * val[p] + reg * w[j]);
                for (int f = 0; f < K; f++) {
                    double g = sum[f] * val[p] - v[f][j] * val[p] * val[p];
                    v[f][j] -= rate * (e * g + reg * v[f][j]);
                }
            }
        }
        printf("epoch %d mse %.9g\n", epoch, loss / n);
    }
    return 0;
}
