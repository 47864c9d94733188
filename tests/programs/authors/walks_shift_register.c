/*
 * Biased walks over a graph, drawn by a shift register of the file, rejected where they are too likely.
 * loop: serial ORR2112
 * loop: parallel reduction
 * edit: int cur = s, prev = -1; => rng_s[0] = orrery_random(r, 2ULL * s); rng_s[1] = orrery_random(r, 2ULL * s + 1); int cur = s, prev = -1;
 * then: parallel independent
 * then: parallel reduction
 * ranks: 2
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uint64_t rng_s[2] = {88172645463325252ULL, 362436069ULL};
static inline uint64_t rotl(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}
static uint64_t rng_next(void) {
    uint64_t s0 = rng_s[0], s1 = rng_s[1], r = s0 + s1;
    s1 ^= s0;
    rng_s[0] = rotl(s0, 24) ^ s1 ^ (s1 << 16);
    rng_s[1] = rotl(s1, 37);
    return r;
}
static double rng_uniform(void) {
    return (rng_next() >> 11) * (1.0 / 9007199254740992.0);
}
static int has_edge(const int *ptr, const int *adj, int u, int v) {
    int lo = ptr[u], hi = ptr[u + 1] - 1;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        if (adj[mid] == v)
            return 1;
        if (adj[mid] < v)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return 0;
}
static int cmp(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
int main(void) {
    int n = 500, deg = 8, L = 20, R = 4;
    double p = 0.5, q = 2;
    int *ptr = malloc((n + 1) * sizeof(int)), *adj = malloc(n * deg * sizeof(int));
    int *walks = malloc((long)n * R * L * sizeof(int));
    srand(2);
    for (int i = 0; i <= n; i++)
        ptr[i] = i * deg;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < deg; j++)
            adj[i * deg + j] = rand() % n;
        qsort(adj + i * deg, deg, sizeof(int), cmp);
    }
    for (int r = 0; r < R; r++) {
#pragma orrery parallel unordered
        for (int s = 0; s < n; s++) {
            int *walk = walks + ((long)r * n + s) * L;
            int cur = s, prev = -1;
            walk[0] = s;
            for (int l = 1; l < L; l++) {
                int next;
                if (prev < 0)
                    next = adj[ptr[cur] + (int)(rng_uniform() * (ptr[cur + 1] - ptr[cur]))];
                else {
                    for (;;) {
                        next = adj[ptr[cur] + (int)(rng_uniform() * (ptr[cur + 1] - ptr[cur]))];
                        double w = next == prev                     ? 1 / p
                                   : has_edge(ptr, adj, prev, next) ? 1
                                                                    : 1 / q;
                        if (rng_uniform() * 2 < w)
                            break;
                    }
                }
                walk[l] = next;
                prev = cur;
                cur = next;
            }
        }
    }
    long *visits = calloc(n, sizeof(long));
#pragma orrery parallel
    for (long i = 0; i < (long)n * R * L; i++)
        visits[walks[i]]++;
    long best = 0;
    for (int i = 0; i < n; i++)
        if (visits[i] > visits[best])
            best = i;
    printf("%ld\n", visits[best]);
    return 0;
}
