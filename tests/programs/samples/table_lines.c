/*
 * Matrix factorization with the items' columns behind a table of pointers. The argument says how
 * the table's lines lie: own, in one block, one line twice, overlapping, one key too far, counted
 * from 1, triangle (another loop: lines of unlike length).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { USERS = 300, ITEMS = 200, K = 6, COUNT = 20000 };

static void train(const int *u, const int *v, double *W, double **H, int rank) {
#pragma orrery parallel unordered
    for (long n = 0; n < COUNT; ++n) {
        double e = 1;
        for (int k = 0; k < rank; ++k)
            e -= W[u[n] * rank + k] * H[k][v[n]];
        for (int k = 0; k < rank; ++k) {
            double w = W[u[n] * rank + k];
            W[u[n] * rank + k] += 0.01 * e * H[k][v[n]];
            H[k][v[n]] += 0.01 * e * w;
        }
    }
}

static double triangle(void) {
    double **L = malloc(ITEMS * sizeof *L), sum = 0;
    for (int k = 0; k < ITEMS; ++k) {
        L[k] = malloc((k + 1) * sizeof **L);
        for (int j = 0; j <= k; ++j)
            L[k][j] = (k * 7 + j) % 13;
    }
#pragma orrery parallel
    for (int j = 0; j < ITEMS; ++j)
        for (int k = j; k < ITEMS; ++k)
            L[k][j] = L[k][j] * 0.5 + k;
    for (int k = 0; k < ITEMS; ++k)
        for (int j = 0; j <= k; ++j)
            sum += L[k][j];
    return sum;
}

static double factors(const char *how) {
    int *u = malloc(COUNT * sizeof *u), *v = malloc(COUNT * sizeof *v);
    int first = strcmp(how, "from1") == 0, apart = strcmp(how, "overlapping") ? ITEMS : ITEMS - 1;
    int block = !strcmp(how, "block") || !strcmp(how, "overlapping");
    double *W = malloc(USERS * K * sizeof *W), **H = malloc(K * sizeof *H), sum = 0;
    double *lines = malloc(K * ITEMS * sizeof *lines);
    for (long n = 0; n < COUNT; ++n) {
        u[n] = n * 7919 % USERS;
        v[n] = n * 104729 % 1009 % ITEMS + first;
    }
    v[77] += strcmp(how, "far") == 0 ? ITEMS : 0;
    for (int i = 0; i < USERS * K; ++i)
        W[i] = i % 17 * 0.01;
    for (int k = 0; k < K; ++k) {
        H[k] = (block ? lines + k * apart : malloc(ITEMS * sizeof **H)) - first;
        for (int i = 0; i < ITEMS; ++i)
            H[k][i + first] = (i + k) % 19 * 0.01;
    }
    if (strcmp(how, "twice") == 0)
        H[3] = H[2];
    for (int pass = 0; pass < 3; ++pass)
        train(u, v, W, H, K);
    for (int i = 0; i < USERS * K; ++i)
        sum += W[i];
    return sum;
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "own";
    printf("%.9f\n", strcmp(how, "triangle") == 0 ? triangle() : factors(how));
    return 0;
}
