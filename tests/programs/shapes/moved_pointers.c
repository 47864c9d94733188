/* Pointers that loops leave in tables, structures, choices and variables: they are others in every run, and no
 * difference of results.
 * loop: parallel independent
 * loop: parallel reduction
 * loop: parallel independent
 * result: same
 * ranks: refused is an address
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 400, K = 8, C = 80 };
struct state {
    double *row;
    char *names[C];
    int n;
};
struct entry {
    short kind;
    double v;
    struct state *state;
};

int main(void) {
    double *x = malloc(N * K * sizeof *x), **rows = malloc(N * sizeof *rows), best = -1, *at = NULL;
    struct state top = {0}, *states = calloc(N, sizeof *states), *last = NULL;
    struct entry **table = malloc(N * sizeof *table);
    for (int i = 0; i < N * K; ++i)
        x[i] = i % 13;
    for (int i = 0; i < N; ++i)
        table[i] = malloc((i % 3 + 1) * sizeof **table);
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        rows[i] = x + (N - 1 - i) * K;
        states[i].row = rows[i];
        states[i].names[C - 1] = (char *)x + i;
        states[i].n = i;
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        double s = 0;
        for (int k = 0; k < K; ++k)
            s += x[i * K + k] * k;
        if (s > best) {
            best = s;
            at = &x[i * K];
            top.row = x + i * K;
            top.n = i;
        }
        last = &states[i];
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i % 3; ++j) {
            table[i][j].kind = 1;
            table[i][j].v = x[i];
            table[i][j].state = states + i;
        }
    printf("%g %ld %d %ld %ld %d %d\n", best, (long)(at - x), top.n, (long)(top.row - x), (long)(rows[3] - x), last->n,
           table[7][1].state->n);
    return 0;
}
