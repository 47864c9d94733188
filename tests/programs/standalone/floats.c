/*
 * What threads have of the caller's floating-point environment, and leave of it: how it rounds,
 * exceptions, errno of the mathematical functions. Each comes about where the last thread is.
 */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

enum { N = 50000 };

static double x[N], y[N];

static void divide(double by) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        x[i] = by / (N - 1 - i);
}

static void roots(double from) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        y[i] = sqrt(from - i);
}

static double total(void) {
    double sum = 0;
    for (int i = 0; i < N - 1; ++i)
        sum += x[i];
    return sum;
}

int main(void) {
    int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};
    for (int way = 0; way < 4; ++way) {
        fesetround(ways[way]);
        feclearexcept(FE_ALL_EXCEPT);
        errno = 0;
        roots(way % 2 ? N : N - 1.5);
        int error = errno, invalid = fetestexcept(FE_INVALID) != 0;
        divide(way + 1);
        int zero = fetestexcept(FE_DIVBYZERO) != 0;
        fesetround(FE_TONEAREST);
        printf("%a %a %d %d %d\n", total(), y[N / 2], error == EDOM, invalid, zero);
    }
    return 0;
}
