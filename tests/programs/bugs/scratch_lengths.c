/* same: 7 */
/* Scratch space and sums of variable length: the bound has changed since, is a global variable, or is
 * divided. Only the array's type still has the length. */
#include <stdio.h>

enum { N = 300 };
static double from[N], to[N];
static int width = 7;

static void changed(int n, int m) {
    double tmp[n];
    n -= 2;
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < n; ++k)
            tmp[k] = from[i] * k + i;
        for (int k = 0; k < n; ++k)
            to[i] += tmp[k] * tmp[n - 1 - k];
    }
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < n; ++k)
            tmp[k] = to[i] * k - i;
        for (int k = 0; k < n; ++k)
            from[i] += 1e-3 * tmp[k] * k;
    }
}

static void global(int m) {
    double tmp[width];
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < width; ++k)
            tmp[k] = from[i] + k;
        for (int k = 0; k < width; ++k)
            to[i] -= tmp[k] / (1 + tmp[width - 1 - k]);
    }
}

static void divided(int n, int m) {
    double tmp[n / 2][3];
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < n / 2; ++k)
            for (int l = 0; l < 3; ++l)
                tmp[k][l] = from[i] * l - k;
        for (int k = 0; k < n / 2; ++k)
            to[i] += tmp[k][2] - tmp[k][0];
    }
}

static void named(int n, int m) {
    typedef double row[n];
    n -= 2;
    row tmp, *rows = &tmp;
    (void)rows;
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < n; ++k)
            (tmp)[k] = from[i] - k;
        for (int k = 0; k < n; ++k)
            to[i] += tmp[k] * k;
    }
}

static double last(int n, int m) {
    double tmp[n], sums[n];
    n -= 1;
    for (int k = 0; k < n; ++k)
        sums[k] = 0;
#pragma orrery parallel
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < n; ++k)
            tmp[k] = from[i] * k;
#pragma orrery parallel
    for (int i = 0; i < m; ++i)
        sums[i & 3] += (long)to[i] & 1023;
    double s = 0;
    for (int k = 0; k < n; ++k)
        s += tmp[k] + sums[k] * k;
    return s;
}

int main(void) {
    for (int i = 0; i < N; ++i)
        from[i] = i * .25;
    changed(7, N);
    global(N);
    divided(9, N);
    named(7, N);
    double s = last(7, N);
    for (int i = 0; i < N; ++i)
        s += from[i] * (i % 5) + to[i];
    printf("%.15g\n", s);
}
