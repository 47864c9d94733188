/* Product of two matrices of doubles, the outer loops in the textbook's order. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 512;
    double *a = malloc((size_t)n * n * sizeof *a), *b = malloc((size_t)n * n * sizeof *b);
    double *c = malloc((size_t)n * n * sizeof *c), trace = 0;
    for (int i = 0; i < n * n; ++i) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    for (int i = 0; i < n; ++i)
        trace += c[i * n + i];
    printf("%g\n", trace);
    return 0;
}
