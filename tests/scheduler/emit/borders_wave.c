/* emit: 1 */
/* A wavefront in a flat table with a border, of rows m + 1 long and counted from 1. */
#include <stdio.h>
#include <stdlib.h>

static void lcs(const char *restrict a, const char *restrict b, int n, int m, int *restrict L) {
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j) {
            if (a[i - 1] == b[j - 1])
                L[i * (m + 1) + j] = L[(i - 1) * (m + 1) + j - 1] + 1;
            else if (L[(i - 1) * (m + 1) + j] > L[i * (m + 1) + j - 1])
                L[i * (m + 1) + j] = L[(i - 1) * (m + 1) + j];
            else
                L[i * (m + 1) + j] = L[i * (m + 1) + j - 1];
        }
}

int main(void) {
    static const int sizes[][2] = {{60, 50}, {50, 61}, {1, 1},  {3, 2},
                                   {0, 4},   {4, 0},   {33, 1}, {1, 40}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        int n = sizes[s][0], m = sizes[s][1];
        size_t count = (size_t)(n + 1) * (size_t)(m + 1);
        int *L = calloc(count, sizeof *L);
        char a[64], b[64];
        for (int i = 0; i < 64; ++i) {
            a[i] = (char)(i * 7 % 5);
            b[i] = (char)(i * 11 % 7 % 5);
        }
        lcs(a, b, n, m, L);
        unsigned sum = 0;
        for (size_t i = 0; i < count; ++i)
            sum = sum * 31 + (unsigned)L[i];
        printf("%d %u\n", L[count - 1], sum);
        free(L);
    }
    return 0;
}
