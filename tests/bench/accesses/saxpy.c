/* y += a x, far larger than the caches. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1 << 23;
    float *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    for (int i = 0; i < n; ++i) {
        x[i] = (float)(i % 9);
        y[i] = 1;
    }
    for (int pass = 0; pass < 10; ++pass)
        for (int i = 0; i < n; ++i)
            y[i] += 0.5f * x[i];
    printf("%g\n", y[n / 2]);
    return 0;
}
