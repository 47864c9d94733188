/* usage: distance_guard M: distances that only the run knows; 1000 iterations. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };

static double a[4 * N], b[4 * N], grid[8 * N];

static void shift(long n, long m) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        a[N + i] = a[N + i + m] * .5 + 1;
}

static void down(int n, int m) {
#pragma orrery parallel
    for (int i = n; i > 0; i -= 3)
        b[N + m + i] += b[N + i];
}

static void rows(unsigned n) {
#pragma orrery parallel
    for (unsigned i = 0; i < n; ++i)
        grid[2 * n + i] = grid[3 * n + i] + grid[0 * n + i];
}

int main(int argc, char **argv) {
    int m = argc > 1 ? atoi(argv[1]) : 0;
    double sum = 0;
    for (int i = 0; i < 4 * N; ++i)
        a[i] = i % 17, b[i] = i % 13, grid[i] = i % 11;
    shift(N, m);
    down(N, m);
    rows(N);
    for (int i = 0; i < 4 * N; ++i)
        sum = sum * .75 + a[i] + 2 * b[i] + 3 * grid[i];
    printf("%.17g\n", sum);
    return 0;
}
