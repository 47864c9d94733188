/*
 * Matrix factorization over pointers to users, each with arrays of items and ratings; factors in float **.
 * loop: parallel ordered-rotation
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
#define K 8
struct user {
    int n;
    int *item;
    float *r;
};
int main(void) {
    int users = 300, items = 120;
    srand(9);
    struct user **rows = malloc(users * sizeof(*rows));
    for (int u = 0; u < users; u++) {
        rows[u] = malloc(sizeof(struct user));
        rows[u]->n = rand() % 20;
        rows[u]->item = malloc(20 * sizeof(int));
        rows[u]->r = malloc(20 * sizeof(float));
        for (int k = 0; k < rows[u]->n; k++)
            rows[u]->item[k] = rand() % items, rows[u]->r[k] = 1 + rand() % 5;
    }
    float **P = malloc(users * sizeof(float *)), **Q = malloc(items * sizeof(float *));
    for (int i = 0; i < users; i++) {
        P[i] = malloc(K * sizeof(float));
        for (int k = 0; k < K; k++)
            P[i][k] = rand() / (float)RAND_MAX - .5f;
    }
    for (int i = 0; i < items; i++) {
        Q[i] = malloc(K * sizeof(float));
        for (int k = 0; k < K; k++)
            Q[i][k] = rand() / (float)RAND_MAX - .5f;
    }
    for (int epoch = 0; epoch < 8; epoch++) {
        double se = 0;
#pragma orrery parallel
        for (int u = 0; u < users; u++) {
            struct user *row = rows[u];
            for (int j = 0; j < row->n; j++) {
                int i = row->item[j];
                float err = row->r[j];
                for (int k = 0; k < K; k++)
                    err -= P[u][k] * Q[i][k];
                se += err * err;
                for (int k = 0; k < K; k++) {
                    float t = P[u][k];
                    P[u][k] += .02f * (err * Q[i][k] - .02f * t);
                    Q[i][k] += .02f * (err * t - .02f * Q[i][k]);
                }
            }
        }
        printf("%d %.6f\n", epoch, se);
    }
    return 0;
}
