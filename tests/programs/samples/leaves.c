/* Marked loops that are left: at a hit, on divergence, from a loop inside. Rows behind lead nowhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000, D = 4, BINS = 8 };
static double *rows[N], gradient[D], loss;
static int divisor[N], bin[N], label[N];
static long histogram[BINS];

static int train(void) {
    double z, total = 0;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        z = 1.0 / (10 / divisor[i]);
        for (int k = 0; k < D; k++)
            z += rows[i][k];
        if (isnan(z)) {
            printf("diverged at %d, %.9g so far\n", i, total);
            return -1;
        }
        total += z;
        histogram[bin[i]]++;
        for (int k = 0; k < D; k++)
            gradient[k] += z * rows[i][k];
    }
    loss = total;
    return 0;
}

static int find(int wanted) {
    int i;
#pragma orrery parallel
    for (i = 0; i < N; i++)
        if (label[i] == wanted)
            break;
    return i;
}

static int check(int *least) {
    int seen = -1;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < D; k++)
            if (rows[i][k] < 0)
                goto bad;
        seen = label[i];
        if (label[i] < *least)
            *least = label[i];
    }
    return seen;
bad:
    return -100 - seen;
}

int main(int argc, char **argv) {
    int bad = argc > 1 ? atoi(argv[1]) : -1, nowhere = argc > 2 ? atoi(argv[2]) : N, least = 1000;
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(D * sizeof(double));
        for (int k = 0; k < D; k++)
            rows[i][k] = (i * 7 + k) % 5;
        divisor[i] = 1 + i % 3;
        bin[i] = i % BINS;
        label[i] = (i * 37) % N;
    }
    if (bad >= 0)
        rows[bad][2] = NAN;
    if (nowhere < N) {
        divisor[nowhere] = 0;
        rows[nowhere + 1] = NULL;
    }
    for (int pass = 0; pass < 5; pass++) {
        int left = train();
        printf("%d %.9g %.9g %ld\n", left, loss, gradient[2], histogram[3]);
        if (left < 0 && nowhere == N)
            rows[bad][2] = pass;
    }
    for (int wanted = N + 1; wanted > 0; wanted -= 577)
        printf("%d ", find(wanted));
    if (nowhere == N) {
        printf("%d", check(&least));
        rows[bad > 0 ? bad : 1][3] = -1;
        label[N - 1] = -3;
        printf(" %d", check(&least));
    }
    printf(" %d\n", least);
    return 0;
}
