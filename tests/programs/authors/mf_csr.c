/*
 * Matrix factorization over ratings in CSR, with biases of users and items.
 * loop: parallel ordered-rotation
 */
#include <stdio.h>
#include <stdlib.h>

#define K 8

struct csr {
    int rows, cols;
    int *ptr;
    int *col;
    float *val;
};

static struct csr make(int rows, int cols) {
    struct csr a = {rows, cols, malloc((rows + 1) * sizeof(int)), NULL, NULL};
    a.ptr[0] = 0;
    for (int i = 0; i < rows; i++)
        a.ptr[i + 1] = a.ptr[i] + 5 + rand() % 20;
    a.col = malloc(a.ptr[rows] * sizeof(int));
    a.val = malloc(a.ptr[rows] * sizeof(float));
    for (int p = 0; p < a.ptr[rows]; p++) {
        a.col[p] = rand() % cols;
        a.val[p] = 1 + rand() % 5;
    }
    return a;
}

int main(void) {
    srand(11);
    struct csr r = make(300, 200);
    float *P = malloc(r.rows * K * sizeof(float));
    float *Q = malloc(r.cols * K * sizeof(float));
    float *bu = calloc(r.rows, sizeof(float));
    float *bi = calloc(r.cols, sizeof(float));
    for (int i = 0; i < r.rows * K; i++)
        P[i] = rand() / (float)RAND_MAX * 0.5f;
    for (int i = 0; i < r.cols * K; i++)
        Q[i] = rand() / (float)RAND_MAX * 0.5f;
    float mu = 3, rate = 0.01f, lambda = 0.05f;
    for (int epoch = 0; epoch < 4; epoch++) {
        double sse = 0;
#pragma orrery parallel
        for (int u = 0; u < r.rows; u++) {
            for (int p = r.ptr[u]; p < r.ptr[u + 1]; p++) {
                int i = r.col[p];
                float e = r.val[p] - mu - bu[u] - bi[i];
                for (int k = 0; k < K; k++)
                    e -= P[u * K + k] * Q[i * K + k];
                sse += e * e;
                bu[u] += rate * (e - lambda * bu[u]);
                bi[i] += rate * (e - lambda * bi[i]);
                for (int k = 0; k < K; k++) {
                    float pk = P[u * K + k];
                    P[u * K + k] += rate * (e * Q[i * K + k] - lambda * pk);
                    Q[i * K + k] += rate * (e * pk - lambda * Q[i * K + k]);
                }
            }
        }
        printf("epoch %d mse %.6f\n", epoch, sse / r.ptr[r.rows]);
    }
    double sum = 0;
    for (int i = 0; i < r.cols * K; i++)
        sum += Q[i] * (i % 7 + 1);
    printf("%.17g\n", sum);
    return 0;
}
