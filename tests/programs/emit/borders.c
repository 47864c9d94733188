/* emit: 2 */
/*
 * Flat tables of rows m + 1 long, counted from 1: j - 1 and j - 2 lie in the row, at its very
 * beginning too, and a row may be as long as the run's check lets it be.
 */
#include <stdio.h>
#include <stdlib.h>

static void shift(int n, int m, int *restrict L) {
#pragma orrery parallel
    for (int i = 0; i <= n; ++i)
        for (int j = 2; j <= m; ++j)
            L[i * (m + 1) + j - 2] += 3 * L[i * (m + 1) + j - 1];
}

/* With count == w + 1 the last element is the row's last one. */
static void fill(int n, int count, int w, int *restrict L) {
#pragma orrery parallel
    for (int i = 0; i <= n; ++i)
        for (int j = 1; j <= count; ++j)
            L[i * (w + 1) + j - 1] = L[i * (w + 1) + j - 1] * 2 + i - j;
}

int main(void) {
    static const int sizes[][2] = {{60, 50}, {50, 61}, {1, 1},  {3, 2},
                                   {0, 4},   {4, 0},   {33, 1}, {1, 40}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        int n = sizes[s][0], m = sizes[s][1];
        size_t count = (size_t)(n + 1) * (size_t)(m + 1);
        int *L = malloc(count * sizeof *L);
        for (size_t i = 0; i < count; ++i)
            L[i] = (int)(i * 7 % 23);
        shift(n, m, L);
        fill(n, m + 1, m, L);
        unsigned sum = 0;
        for (size_t i = 0; i < count; ++i)
            sum = sum * 31 + (unsigned)L[i];
        printf("%u\n", sum);
        free(L);
    }
    return 0;
}
