/*
 * Scratch space of an iteration behind a pointer to the stack: its size is not known to a run.
 * says: runs serially: the size of row is not known
 * one rank
 * marked: the size of row, which every row of the grid needs a copy of, is not known; declare it in the loop's body
 */
#include <stdio.h>

__attribute__((noinline)) static float sums(const float *restrict x, float *restrict y,
                                            float *restrict row, int rows, int features) {
#pragma orrery parallel
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < features; ++k)
            row[k] = x[i * features + k];
        y[i] = row[0] + row[features - 1];
    }
    return y[rows - 1];
}

int main(void) {
    static float x[800], y[100];
    float row[8];
    for (int i = 0; i < 800; ++i)
        x[i] = (float)(i % 13);
    printf("%g\n", sums(x, y, row, 100, 8));
}
