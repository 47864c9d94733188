/*
 * Each iteration has an array of 3 MB on its stack.
 *
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <string.h>

enum { N = 24, SIZE = 3 << 17 };

static double spread(int i) {
    double cells[SIZE];
    double sum = 0;
    memset(cells, 0, sizeof cells);
    for (int k = i; k < SIZE; k += N + i)
        cells[k] = k % 7 + i;
    for (int k = 0; k < SIZE; ++k)
        sum = sum * .999 + cells[k];
    return sum;
}

int main(int argc, char **argv) {
    static double out[N];
    (void)argv;
    if (argc > 1)
        for (int i = 0; i < N; ++i)
            out[i] = spread(i);
    if (argc == 1)
#pragma orrery parallel
        for (int i = 0; i < N; ++i)
            out[i] = spread(i);
    for (int i = 0; i < N; ++i)
        printf("%.17g\n", out[i]);
    return 0;
}
