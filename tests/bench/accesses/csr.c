/* A sparse matrix times a vector. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 100000, each = 16;
    int *begin = malloc(((size_t)rows + 1) * sizeof *begin);
    int *column = malloc((size_t)rows * each * sizeof *column);
    double *value = malloc((size_t)rows * each * sizeof *value);
    double *x = malloc((size_t)rows * sizeof *x), *y = malloc((size_t)rows * sizeof *y);
    unsigned state = 1;
    for (int i = 0; i <= rows; ++i)
        begin[i] = i * each;
    for (int p = 0; p < rows * each; ++p) {
        state = state * 1664525u + 1013904223u;
        column[p] = (int)((state >> 8) % (unsigned)rows);
        value[p] = 0.01 * (p % 11);
    }
    for (int i = 0; i < rows; ++i)
        x[i] = 1;
    for (int pass = 0; pass < 30; ++pass) {
        for (int i = 0; i < rows; ++i) {
            double sum = 0;
            for (int p = begin[i]; p < begin[i + 1]; ++p)
                sum += value[p] * x[column[p]];
            y[i] = sum;
        }
        for (int i = 0; i < rows; ++i)
            x[i] = 0.5 * (x[i] + y[i]);
    }
    printf("%g\n", x[rows / 2]);
    return 0;
}
