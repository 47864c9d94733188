/* same: 1 */
/* A pointer is set to a table's entry, then what the entry was found by changes: one array has two names in a call. */
#include <stdio.h>

enum { N = 6000, K = 40 };
struct group {
    long count, *sum;
};

static void add(long n, int *next, const int *at, struct group *const *groups) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int nearest = 0;
        while (nearest < at[i])
            ++nearest;
        struct group *g = groups[nearest + 2 * at[i]];
        next[i] = (nearest + 3) % K;
        g->count++;
        g->sum[0] += i;
    }
}

int main(void) {
    static struct group groups[3 * K];
    static struct group *table[3 * K];
    static int at[N], next[N];
    static long sums[3 * K];
    for (int k = 0; k < 3 * K; ++k)
        table[k] = &groups[k], groups[k].sum = &sums[k];
    for (int i = 0; i < N; ++i)
        at[i] = i * 7 % K;
    add(N, next, at, table);
    add(N, at, at, table);
    for (int k = 0; k < 3 * K; ++k)
        printf("%ld %ld\n", table[k]->count, table[k]->sum[0]);
    for (int i = 0; i < N; i += 100)
        printf("%d %d\n", at[i], next[i]);
}
