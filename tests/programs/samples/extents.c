/*
 * Rows in memory that Orrery did not see allocated: one mapped block that holds two arrays and the
 * sums behind them. The argument: by how many elements the second begins too early.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static void rows(const int *ptr, double *val, const double *d, int n, int total) {
#pragma orrery parallel extent(val : total) extent(d : n) extent(ptr : n + 1)
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            val[p] = val[p] * .5 + d[i];
}

static void sums(double *sum, const int *key, const double *x, int n, int keys) {
#pragma orrery parallel extent(sum : keys)
    for (int i = 0; i < n; ++i)
        sum[key[i]] += x[i];
}

int main(int argc, char **argv) {
    enum { N = 300, TOTAL = 3 * N, KEYS = 7 };
    int early = argc > 1 ? atoi(argv[1]) : 0, more = argc > 2 ? atoi(argv[2]) : 0;
    double *block = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double *val = block, *d = block + TOTAL - early, *sum = d + N, total = 0;
    int *ptr = malloc((N + 1) * sizeof *ptr), *key = malloc(N * sizeof *key);
    for (int i = 0; i < N; ++i) {
        ptr[i] = 3 * i;
        key[i] = i % KEYS;
        d[i] = i;
    }
    ptr[N] = TOTAL - early;
    for (int pass = 0; pass < 3; ++pass) {
        rows(ptr, val, d, N, TOTAL);
        sums(sum, key, d, N, KEYS);
    }
    if (more)
        rows(ptr, malloc(TOTAL * sizeof(double)), d, N, TOTAL + more);
    for (int i = 0; i < TOTAL + N + KEYS - early; ++i)
        total = total * .99 + block[i];
    printf("%.12g\n", total);
    return 0;
}
