/*
 * The loops of samples/gauss_seidel and samples/lcs as Pluto wants them: arrays with their bounds,
 * between #pragma scop and #pragma endscop. Arguments: grid, sweeps, letters. Prints the seconds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define max(x, y) ((x) > (y) ? (x) : (y))

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sweeps(int n, int count, double w, double f[n][n], double u[n][n]) {
    int t, i, j;
#pragma scop
    for (t = 0; t < count; t++)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                u[i][j] =
                    u[i][j] +
                    w * (.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] + f[i][j]) -
                         u[i][j]);
#pragma endscop
}

static void common(int n, char a[n], char b[n], int length[n][n]) {
    int i, j;
#pragma scop
    for (i = 1; i < n; i++)
        for (j = 1; j < n; j++)
            length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1
                                                : max(length[i - 1][j], length[i][j - 1]);
#pragma endscop
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 200, count = argc > 2 ? atoi(argv[2]) : 4;
    int letters = argc > 3 ? atoi(argv[3]) : 500;
    double(*u)[n] = calloc((size_t)n, sizeof *u), (*f)[n] = calloc((size_t)n, sizeof *f);
    int(*length)[letters] = calloc((size_t)letters, sizeof *length);
    char *a = malloc((size_t)letters), *b = malloc((size_t)letters);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            f[i][j] = (i + j) % 7, u[i][j] = i == 0;
    for (int i = 0; i < letters; ++i)
        a[i] = "ACGT"[rand() % 4], b[i] = rand() % 4 ? a[i] : 'A';
    double from = now();
    sweeps(n, count, 1.9, f, u);
    printf("gauss_seidel %.6f\n", now() - from);
    from = now();
    common(letters, a, b, length);
    printf("lcs %.6f\n", now() - from);
    return length[letters - 1][letters - 1] < 0 || u[n / 2][n / 2] > 1e300;
}
