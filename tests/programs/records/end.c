/* Rows whose number stands in memory: with an argument, in the table that the rows change. */
#include <stdio.h>

enum { ROWS = 100, COLUMNS = 50 };

static void update(const int *rows, const int *ptr, const int *col, unsigned *X, int *Y) {
#pragma orrery parallel
    for (int u = 0; u < *rows; ++u)
        for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
            unsigned x = X[u] * 3u + (unsigned)Y[col[p]];
            X[u] = x;
            Y[col[p]] = (int)(x % COLUMNS);
        }
}

int main(int argc, char **argv) {
    static int rows = ROWS, ptr[ROWS + 1], col[ROWS * 9], Y[COLUMNS];
    static unsigned X[ROWS];
    (void)argv;
    for (int i = 0; i < ROWS * 9; ++i)
        col[i] = (i * 7 + i / 10) % COLUMNS;
    for (int i = 0; i <= ROWS; ++i)
        ptr[i] = i * 9;
    for (int i = 0; i < ROWS; ++i)
        X[i] = (unsigned)i;
    for (int i = 0; i < COLUMNS; ++i)
        Y[i] = 90 + i % 10;
    update(argc > 1 ? Y : &rows, ptr, col, X, Y);
    unsigned digest = 0;
    for (int i = 0; i < ROWS; ++i)
        digest = digest * 31 + X[i] + (unsigned)Y[i % COLUMNS];
    printf("%u\n", digest);
    return 0;
}
