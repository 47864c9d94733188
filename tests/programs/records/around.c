/* Rows with statements around the inner loop that touch what is the row's own. */
#include <stdio.h>

enum { ROWS = 300, COLUMNS = 50 };

static unsigned update(const int *restrict ptr, const int *restrict col, unsigned *restrict X,
                       unsigned *restrict Y, unsigned *restrict err, unsigned *restrict norm) {
    unsigned total = 0;
#pragma orrery parallel
    for (int u = 0; u < ROWS; ++u) {
        err[u] = 0;
        const int begin = ptr[u];
        for (int k = 0; k < 3; ++k)
            X[u] += (unsigned)k;
        for (int p = begin; p < ptr[u + 1]; ++p) {
            unsigned x = X[u] * 3u + Y[col[p]];
            X[u] = x;
            Y[col[p]] = Y[col[p]] * 5u + x;
            err[u] += x;
        }
        if (ptr[u + 1] == begin)
            norm[u] = 1;
        else
            norm[u] = err[u] / (unsigned)(ptr[u + 1] - begin);
        total += norm[u];
    }
    return total;
}

static void last(const int *restrict ptr, const int *restrict col, unsigned *restrict X,
                 unsigned *restrict Y, unsigned *restrict norm) {
    int p = -1;
#pragma orrery parallel
    for (int u = 0; u < ROWS; ++u) {
        for (p = ptr[u]; p < ptr[u + 1]; ++p) {
            X[u] += Y[col[p]];
            Y[col[p]] ^= X[u];
        }
        norm[u] ^= X[u];
    }
    printf("%d\n", p);
}

int main(void) {
    static int ptr[ROWS + 1], col[ROWS * 9];
    static unsigned X[ROWS], Y[COLUMNS], err[ROWS], norm[ROWS];
    for (int i = 0; i < ROWS * 9; ++i)
        col[i] = (i * 7 + i / 10) % COLUMNS;
    for (int i = 1; i <= ROWS; ++i)
        ptr[i] = ptr[i - 1] + i * 5 % 9;
    for (int i = 0; i < ROWS; ++i)
        X[i] = (unsigned)i;
    for (int i = 0; i < COLUMNS; ++i)
        Y[i] = 90u + (unsigned)i % 10u;
    unsigned digest = update(ptr, col, X, Y, err, norm);
    last(ptr, col, X, Y, norm);
    for (int i = 0; i < ROWS; ++i)
        digest = digest * 31u + X[i] + norm[i] * 7u + err[i] + Y[i % COLUMNS];
    printf("%u\n", digest);
    return 0;
}
