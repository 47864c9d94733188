/*
 * A linear SVM by stochastic subgradients over CSR; an example changes the weights only where its margin is below 1.
 * loop: parallel levels
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>

static double dot(const double *w, const int *idx, const double *val, int n) {
    double s = 0;
    for (int k = 0; k < n; k++)
        s += w[idx[k]] * val[k];
    return s;
}

int main(void) {
    int n = 800, dims = 500;
    srand(31);
    int *ptr = malloc((n + 1) * sizeof(int)), *idx = malloc(12 * n * sizeof(int));
    double *val = malloc(12 * n * sizeof(double)), *y = malloc(n * sizeof(double));
    double *w = calloc(dims, sizeof(double));
    ptr[0] = 0;
    for (int i = 0; i < n; i++) {
        int count = 2 + rand() % 10;
        double s = 0;
        for (int k = ptr[i]; k < ptr[i] + count; k++) {
            idx[k] = rand() % dims;
            val[k] = rand() / (double)RAND_MAX;
            s += val[k] * (idx[k] % 5 - 2);
        }
        ptr[i + 1] = ptr[i] + count;
        y[i] = s > 0 ? 1 : -1;
    }
    for (int epoch = 0; epoch < 5; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double margin = y[i] * dot(w, idx + ptr[i], val + ptr[i], ptr[i + 1] - ptr[i]);
            if (margin < 1) {
                loss += 1 - margin;
                for (int k = ptr[i]; k < ptr[i + 1]; k++)
                    w[idx[k]] += .05 * y[i] * val[k];
            }
        }
        printf("epoch %d hinge %.9g\n", epoch, loss / n);
    }
    return 0;
}
