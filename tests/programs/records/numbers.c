/* Numbers of a row that are set while it runs: sums, a counter, a bias that is kept in a variable. */
#include <stdio.h>

enum { ROWS = 300, COLUMNS = 50 };

static unsigned ptr[ROWS + 2], total;
static int col[ROWS * 9];
static unsigned X[ROWS], Y[COLUMNS], bias[ROWS], norm[ROWS];

static void update(int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        unsigned sum = 0, kept = bias[u] + 1, old = bias[u],
                 twice = 2 * kept; /* `old` stays the row's first */
        unsigned char seen = 0;
        int none = 1;
        for (unsigned p = ptr[u]; p < ptr[u + 1]; ++p) {
            unsigned x = X[u] * 3u + Y[col[p]] + old + twice;
            X[u] = x;
            Y[col[p]] = Y[col[p]] * 5u + x;
            sum += x, kept ^= x;
            bias[u] += seen++;
            none = 0;
        }
        bias[u] += kept;
        norm[u] = seen ? sum / seen : (unsigned)none;
        total += sum;
    }
}

int main(void) {
    for (int i = 0; i < ROWS * 9; ++i)
        col[i] = (i * 7 + i / 10) % COLUMNS;
    for (unsigned i = 1; i <= ROWS; ++i)
        ptr[i] = ptr[i - 1] + i * 5 % 9;
    for (int i = 0; i < ROWS; ++i)
        X[i] = (unsigned)i, bias[i] = (unsigned)i % 7;
    for (int pass = 0; pass < 3; ++pass)
        update(ROWS - 10 * pass);
    update(0);
    update(-3);
    unsigned digest = total;
    for (int i = 0; i < ROWS; ++i)
        digest = digest * 31u + X[i] + norm[i] * 7u + bias[i] + Y[i % COLUMNS];
    printf("%u\n", digest);
    return 0;
}
