#include "train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 300, ITEMS = 200 };

int main(int argc, char **argv) {
    long nnz = argc > 1 ? atol(argv[1]) : 20000;
    struct rating *r = malloc((size_t)nnz * sizeof *r);
    float *W = malloc(sizeof(float) * USERS * RANK), *H = malloc(sizeof(float) * ITEMS * RANK);
    unsigned state = 1;
    if (!r || !W || !H)
        return 1;
    for (long n = 0; n < nnz; ++n) {
        r[n].user = (int)((state = state * 1664525u + 1013904223u) >> 8) % USERS;
        r[n].item = (int)((state = state * 1664525u + 1013904223u) >> 8) % ITEMS;
        r[n].value = (float)(1 + (r[n].user * 7 + r[n].item * 3) % 5);
    }
    for (int i = 0; i < USERS * RANK; ++i)
        W[i] = .1f * (float)(1 + i % 7);
    for (int i = 0; i < ITEMS * RANK; ++i)
        H[i] = .1f * (float)(1 + i % 5);
    for (int epoch = 1; epoch <= 4; ++epoch)
        printf("epoch %d rmse %.4f\n", epoch, sqrt(train(r, nnz, W, H) / (double)nnz));
    free(r);
    free(W);
    free(H);
    return 0;
}
