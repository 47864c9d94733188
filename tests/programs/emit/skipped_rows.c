/* emit: 3 */
/*
 * Ids that say "no row": the iterations that carry them touch nothing through them, in a branch,
 * behind `continue`, and on either of two paths.
 */
#include <stdio.h>

enum { ROWS = 7, COUNT = 200 };

static void skip(double *restrict row, const int *restrict id, int count) {
#pragma orrery parallel unordered
    for (int n = 0; n < count; ++n) {
        int r = id[n];
        if (r < 0 || r >= ROWS)
            continue;
        row[r] = row[r] * 2 - (row[r] > 1e6 ? row[r] : 0) + 1;
    }
}

static void paths(double *restrict row, const int *restrict id, const int *restrict kind,
                  int count) {
#pragma orrery parallel unordered
    for (int n = 0; n < count; ++n) {
        if (kind[n] == 1) {
            row[id[n]] = row[id[n]] + 1;
        } else if (kind[n] == 2) {
            if (id[n] < ROWS)
                row[id[n]] = row[id[n]] + 2;
        }
    }
}

/* Columns: that an id stays inside of a row is asked only where the column is touched. */
static void columns(int *restrict h, const int *restrict id, int count, int k, int m) {
#pragma orrery parallel unordered
    for (int n = 0; n < count; ++n) {
        if (id[n] < 0 || id[n] >= m)
            continue;
        for (int j = 0; j < k; ++j)
            h[j * m + id[n]] = (h[j * m + id[n]] * 2 + j + 1) % 1009;
    }
}

int main(void) {
    static double row[ROWS], other[ROWS];
    static int id[COUNT], kind[COUNT], h[3 * ROWS];
    for (int n = 0; n < COUNT; ++n) {
        id[n] = n * 7 % 11 - 2;
        kind[n] = id[n] < 0 ? 0 : id[n] < ROWS ? n % 3 : 2;
    }
    skip(row, id, COUNT);
    paths(other, id, kind, COUNT);
    columns(h, id, COUNT, 3, ROWS);
    for (int r = 0; r < ROWS; ++r)
        printf("%d %.3f %.3f %d %d %d\n", r, row[r], other[r], h[r], h[ROWS + r], h[2 * ROWS + r]);
    return 0;
}
