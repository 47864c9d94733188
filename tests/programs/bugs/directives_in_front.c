/* emit: 5 */
/* Directives that have to be followed by a loop stood in front of the text in its place. */
#include <stdio.h>

#define N 1000
static double x[N], y[N];

static void steps(int more) {
#pragma GCC unroll 4
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        x[i] = 2 * i;
    if (more)
#pragma orrery parallel
#pragma GCC unroll 2
        for (int i = 0; i < N; ++i)
            y[i] += x[i] + more;
#ifdef __ORRERY__
#pragma omp parallel for
#endif
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        y[i] *= x[i];
}

static void passes(void) {
#pragma GCC unroll 2
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < N; ++i)
            x[i] = 0.5 * x[i] + y[i];
    }
}

static void quarters(double (*z)[8]) {
#pragma orrery parallel
    for (int i = 0; i < N / 8; ++i)
#pragma GCC unroll 4
        for (int k = 0; k < 8; ++k)
            z[i][k] /= 4;
}

int main(void) {
    static double z[N / 8][8];
    double all = 0;
    for (int i = 0; i < N; ++i)
        z[i / 8][i % 8] = i;
    for (int i = 0; i < 4; ++i)
        steps(i);
    passes();
    quarters(z);
    for (int i = 0; i < N; ++i)
        all += x[i] + 3 * y[i] + z[i / 8][i % 8];
    printf("%.17g\n", all);
    return 0;
}
