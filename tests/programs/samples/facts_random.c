/*
 * Rows at random places, 400 times. Prints how often two of them overlap, found by looking at all
 * pairs, and a sum of what the loop computed.
 */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { ROWS = 60, TOTAL = 400 };

static unsigned state;

static int below(int n) {
    state = state * 1103515245u + 12345u;
    return (int)(state >> 8) % n;
}

static void shuffle(int *a, int n) {
    for (int i = n - 1; i > 0; --i) {
        int j = below(i + 1), t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

/* Rows one behind the other, in any order, with gaps; then perhaps one of them is moved. */
static void place(int *start, int *len) {
    int order[ROWS], at = 0, kind = below(3);
    for (int i = 0; i < ROWS; ++i)
        order[i] = kind == 1 ? ROWS - 1 - i : i;
    if (kind == 2)
        shuffle(order, ROWS);
    for (int i = 0; i < ROWS; ++i) {
        start[order[i]] = at += below(4) == 0;
        len[order[i]] = below(6);
        at += len[order[i]];
    }
    if (below(2))
        start[below(ROWS)] += below(7) - 3;
    if (below(3) == 0)
        len[below(ROWS)] += below(5) - 2;
}

static int overlaps(const int *start, const int *len) {
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < i; ++j)
            if (len[i] > 0 && len[j] > 0 && start[i] < start[j] + len[j] &&
                start[j] < start[i] + len[i])
                return 1;
    return 0;
}

static void rows(const int *start, const int *len, double *val) {
#pragma orrery parallel
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < len[i]; ++j)
            val[start[i] + j] = val[start[i] + j] * .5 + i + j;
}

int main(int argc, char **argv) {
    int *start = malloc(ROWS * sizeof *start), *len = malloc(ROWS * sizeof *len), found = 0;
    double *memory = calloc(TOTAL + 20, sizeof *memory), sum = 0;
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    for (int trial = 0; trial < 400; ++trial) {
        place(start, len);
        found += overlaps(start, len);
        rows(start, len, memory + 10);
    }
    for (int p = 0; p < TOTAL + 20; ++p)
        sum = sum * .99 + memory[p];
    printf("%d %.17g\n", found, sum);
    return 0;
}
