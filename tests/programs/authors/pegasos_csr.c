/*
 * Pegasos over CSR rows in a structure: the step counter sets the rate, and a pass without errors is the last.
 * loop: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int n, d;
    int *indptr, *indices;
    double *data, *y;
} csr;
static double *w;
int main(void) {
    csr X;
    X.n = 400;
    X.d = 200;
    X.indptr = malloc((X.n + 1) * sizeof(int));
    X.indices = malloc(X.n * 8 * sizeof(int));
    X.data = malloc(X.n * 8 * sizeof(double));
    X.y = malloc(X.n * sizeof(double));
    w = calloc(X.d, sizeof(double));
    X.indptr[0] = 0;
    for (int i = 0; i < X.n; i++) {
        int p = X.indptr[i];
        for (int k = 0; k < 4 + i % 4; k++, p++) {
            X.indices[p] = (i * 7 + k * 23) % X.d;
            X.data[p] = rand() / (double)RAND_MAX;
        }
        X.indptr[i + 1] = p;
        X.y[i] = rand() % 2 ? 1 : -1;
    }
    double lambda = .01;
    int t = 1;
    for (int ep = 0; ep < 5; ep++) {
        int errors = 0;
        double hinge = 0;
#pragma orrery parallel
        for (int i = 0; i < X.n; i++) {
            double eta = 1 / (lambda * t);
            t++;
            double m = 0;
            for (int p = X.indptr[i]; p < X.indptr[i + 1]; p++)
                m += w[X.indices[p]] * X.data[p];
            m *= X.y[i];
            if (m <= 0)
                errors++;
            if (m < 1)
                hinge += 1 - m;
            for (int p = X.indptr[i]; p < X.indptr[i + 1]; p++) {
                int j = X.indices[p];
                w[j] *= 1 - eta * lambda * .1;
                if (m < 1)
                    w[j] += eta * X.y[i] * X.data[p] * .1;
            }
        }
        printf("%d %d %.5f\n", ep, errors, hinge);
        if (errors == 0)
            break;
    }
    return 0;
}
