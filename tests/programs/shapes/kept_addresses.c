/* Addresses of memory of which every worker has a copy, kept where they outlive the iteration.
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400, K = 8 };
struct best {
    double s, *row;
};
struct rate {
    double value;
    int n;
};
struct node {
    const struct rate *rate;
    double v;
};
struct view {
    double *row;
    int n;
};
struct total {
    double sum;
    int n;
};
static double *rows[N];
static struct view views[N];

static void set(struct view *view, double *row, int n) {
    view->row = row;
    view->n = n;
}

static void add(struct total *total, double x) {
    total->sum += x * total->n;
}

int main(void) {
    double *x = malloc(N * K * sizeof *x), *work = malloc(K * sizeof *work), scratch[K], other[K], tmp, *last = 0;
    struct node *node = malloc(N * sizeof *node);
    struct best top = {-1, 0};
    struct rate rate = {.01, 3};
    struct total *total = malloc(sizeof *total), *totals[N];
    int counts[K] = {0}, *mode = counts;
    total->sum = 0;
    total->n = 3;
    for (int i = 0; i < N * K; ++i)
        x[i] = i * 7 % 13;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int b = (int)x[i] % K;
        counts[b]++;
        if (i == N - 1)
            mode = &counts[b];
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        double s = 0;
        for (int k = 0; k < K; ++k)
            work[k] = x[i * K + k] * k;
        for (int k = 0; k < K; ++k)
            s += work[k];
        if (s > top.s) {
            top.s = s;
            top.row = work;
        }
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        tmp = x[i * K + 1];
        last = &tmp;
        x[i * K] = *last + tmp;
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        for (int k = 0; k < K; ++k)
            scratch[k] = x[i * K + k] * k;
        rows[i] = scratch + i % K;
        x[i * K] = scratch[3] + scratch[4];
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        node[i].rate = &rate;
        node[i].v = rate.value * i;
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        for (int k = 0; k < K; ++k)
            other[k] = x[i * K + k] * k;
        set(&views[i], other, K);
        x[i * K] = other[1] + other[2];
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        add(total, x[i * K]);
        totals[i] = total;
    }
    printf("%d %d %d %d %d %d %d %g\n", (int)(mode - counts), top.row == work, last == &tmp, rows[9] == scratch + 1,
           node[7].rate == &rate, views[3].row == other, totals[7] == total, x[8]);
    return 0;
}
