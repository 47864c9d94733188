/* Five points of a grid, from one array into another and back. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    double *from = calloc((size_t)n * n, sizeof *from), *to = calloc((size_t)n * n, sizeof *to);
    from[n * (n / 2) + n / 2] = 1000;
    for (int step = 0; step < 40; ++step) {
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < n - 1; ++j)
                to[i * n + j] = 0.2 * (from[i * n + j] + from[i * n + j - 1] + from[i * n + j + 1] +
                                       from[(i - 1) * n + j] + from[(i + 1) * n + j]);
        double *other = from;
        from = to;
        to = other;
    }
    printf("%g\n", from[n * (n / 2) + n / 2]);
    return 0;
}
