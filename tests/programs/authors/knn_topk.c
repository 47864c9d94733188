/*
 * Nearest neighbours, with insertion into a list of the best K in a function.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
#define K 5
typedef struct {
    double dist;
    int label;
} Neighbor;
static void insert(Neighbor *top, int *count, double dist, int label) {
    int pos = K - 1;
    if (*count < K)
        pos = (*count)++;
    else if (top[pos].dist <= dist)
        return;
    top[pos].dist = dist;
    top[pos].label = label;
    while (pos > 0 && top[pos].dist < top[pos - 1].dist) {
        Neighbor t = top[pos];
        top[pos] = top[pos - 1];
        top[pos - 1] = t;
        pos--;
    }
}
int main(void) {
    int n = 800, m = 120, d = 6, right = 0;
    double *train = malloc(n * d * sizeof *train), *test = malloc(m * d * sizeof *test);
    int *label = malloc(n * sizeof *label), *truth = malloc(m * sizeof *truth),
        confusion[3][3] = {{0}};
    srand(3);
    for (int i = 0; i < n; i++) {
        label[i] = i % 3;
        for (int j = 0; j < d; j++)
            train[i * d + j] = label[i] + rand() / (double)RAND_MAX * 2;
    }
    for (int i = 0; i < m; i++) {
        truth[i] = i % 3;
        for (int j = 0; j < d; j++)
            test[i * d + j] = truth[i] + rand() / (double)RAND_MAX * 2;
    }
#pragma orrery parallel
    for (int q = 0; q < m; q++) {
        Neighbor top[K];
        int count = 0;
        for (int i = 0; i < n; i++) {
            double dist = 0;
            for (int j = 0; j < d; j++) {
                double diff = test[q * d + j] - train[i * d + j];
                dist += diff * diff;
            }
            insert(top, &count, dist, label[i]);
        }
        int votes[3] = {0}, best = 0;
        for (int k = 0; k < count; k++)
            votes[top[k].label]++;
        for (int c = 1; c < 3; c++)
            if (votes[c] > votes[best])
                best = c;
        confusion[truth[q]][best]++;
        if (best == truth[q])
            right++;
    }
    printf("%d of %d\n", right, m);
    for (int a = 0; a < 3; a++)
        printf("%d %d %d\n", confusion[a][0], confusion[a][1], confusion[a][2]);
}
