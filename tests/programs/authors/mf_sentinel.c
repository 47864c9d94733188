/*
 * Matrix factorization over rows that end with index -1, as sparse vectors of libsvm do.
 * loop: parallel ordered-rotation
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int idx;
    double value;
};

int main(void) {
    const int m = 200, n = 150, k = 6;
    srand(17);
    struct node **rows = malloc(m * sizeof(struct node *));
    for (int i = 0; i < m; i++) {
        int count = 2 + rand() % 12;
        rows[i] = malloc((count + 1) * sizeof(struct node));
        for (int j = 0; j < count; j++) {
            rows[i][j].idx = rand() % n;
            rows[i][j].value = rand() % 50 / 10.0;
        }
        rows[i][count].idx = -1;
    }
    double **W = malloc(m * sizeof(double *));
    double **H = malloc(n * sizeof(double *));
    for (int i = 0; i < m; i++) {
        W[i] = malloc(k * sizeof(double));
        for (int f = 0; f < k; f++)
            W[i][f] = rand() / (double)RAND_MAX;
    }
    for (int i = 0; i < n; i++) {
        H[i] = malloc(k * sizeof(double));
        for (int f = 0; f < k; f++)
            H[i][f] = rand() / (double)RAND_MAX;
    }
    for (int it = 0; it < 4; it++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < m; i++) {
            for (struct node *x = rows[i]; x->idx != -1; x++) {
                double *w = W[i], *h = H[x->idx];
                double e = x->value;
                for (int f = 0; f < k; f++)
                    e -= w[f] * h[f];
                loss += e * e;
                for (int f = 0; f < k; f++) {
                    double t = w[f];
                    w[f] += 0.02 * e * h[f];
                    h[f] += 0.02 * e * t;
                }
            }
        }
        printf("%d %.9g\n", it, loss);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int f = 0; f < k; f++)
            sum += H[i][f] * (f + 1);
    printf("%.17g\n", sum);
    return 0;
}
