/* emit: 2 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef float real;
typedef real row[4];
typedef double (*transform)(double);

static const char letters[] = "abcd";

static double twice(double x) {
    return 2 * x;
}

static void strict(const real *restrict const x, real *restrict y, const int n, bool flip,
                   const uint64_t mask, long double bias) {
    const real half = .5f;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        y[i] = (flip ? -x[i] : x[i]) * half + (real)(mask & 3) + (real)bias;
}

static void typed(row *rows, const char *const name, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 4; ++j)
            rows[i][j] = (real)(i * j + name[j]);
}

int main(void) {
    real *x = malloc(100 * sizeof *x), *y = malloc(100 * sizeof *y);
    row *rows = malloc(25 * sizeof *rows);
    transform f = twice;
    double sum = 0;
    for (int i = 0; i < 100; ++i)
        x[i] = (real)i;
    strict(x, y, 100, true, 0xff02, 1.25L);
    typed(rows, letters, 25);
    for (int i = 0; i < 100; ++i)
        sum += f(y[i] + rows[i / 4][i % 4]);
    printf("%g\n", sum);
    free(rows), free(x), free(y);
    return 0;
}
