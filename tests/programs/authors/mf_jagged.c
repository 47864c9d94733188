/*
 * Matrix factorization over jagged rows, with a sum over the row in front of the inner loop (SVD++ like).
 * loop: parallel ordered-rotation
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>

#define K 8

struct entry {
    int item;
    float rating;
};

struct row {
    int count;
    struct entry *entries;
};

int main(void) {
    int users = 250, items = 180;
    srand(5);
    struct row *rows = malloc(users * sizeof(struct row));
    for (int u = 0; u < users; u++) {
        rows[u].count = 3 + rand() % 20;
        rows[u].entries = malloc(rows[u].count * sizeof(struct entry));
        for (int j = 0; j < rows[u].count; j++) {
            rows[u].entries[j].item = rand() % items;
            rows[u].entries[j].rating = 1 + rand() % 5;
        }
    }
    float(*U)[K] = malloc(users * sizeof *U);
    float(*V)[K] = malloc(items * sizeof *V);
    for (int u = 0; u < users; u++)
        for (int k = 0; k < K; k++)
            U[u][k] = rand() / (float)RAND_MAX;
    for (int i = 0; i < items; i++)
        for (int k = 0; k < K; k++)
            V[i][k] = rand() / (float)RAND_MAX;
    for (int epoch = 0; epoch < 4; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int u = 0; u < users; u++) {
            double row_loss = 0;
            for (int j = 0; j < rows[u].count; j++) {
                int i = rows[u].entries[j].item;
                float e = rows[u].entries[j].rating;
                for (int k = 0; k < K; k++)
                    e -= U[u][k] * V[i][k];
                row_loss += e * e;
                for (int k = 0; k < K; k++) {
                    float old = U[u][k];
                    U[u][k] += 0.01f * (e * V[i][k] - 0.02f * old);
                    V[i][k] += 0.01f * (e * old - 0.02f * V[i][k]);
                }
            }
            loss += row_loss;
        }
        printf("epoch %d loss %.6f\n", epoch, loss);
    }
    double sum = 0;
    for (int i = 0; i < items; i++)
        for (int k = 0; k < K; k++)
            sum += V[i][k] * (k + 1);
    printf("%.17g\n", sum);
    return 0;
}
