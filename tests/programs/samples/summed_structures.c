/* Sums into structures behind a table, and into rows that they lead to. 1: two entries lead to one structure; 2: one
 * structure begins inside of another; 3: two structures lead to one row; 4: a row is too short. */
#include <stdio.h>
#include <stdlib.h>
struct group {
    long count;
    double *sum;
};
int main(int argc, char **argv) {
    int how = argc > 1 ? atoi(argv[1]) : 0, n = 1000, k = 5, d = 3;
    struct group **g = malloc(k * sizeof *g);
    for (int j = 0; j < k; ++j) {
        g[j] = calloc(2, sizeof **g);
        g[j]->sum = calloc(d, sizeof(double));
    }
    if (how == 1)
        g[1] = g[0];
    if (how == 2)
        g[1] = (struct group *)((char *)g[0] + sizeof(long));
    if (how == 2)
        g[1]->sum = g[2]->sum;
    if (how == 3)
        g[1]->sum = g[0]->sum;
    if (how == 4)
        g[1]->sum = calloc(d - 1, sizeof(double));
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        int z = 0;
        for (int j = 0; j < i % 7; ++j)
            z = (z + i) % k;
        g[z]->count++;
        for (int q = 0; q < d; ++q)
            g[z]->sum[q] += i % 11;
    }
    for (int j = 0; j < k; ++j)
        printf("%ld %g\n", g[j]->count, g[j]->sum[d - 2]);
    return 0;
}
