/* Marked loops in functions that other marked loops call: serial there, parallel where serial code calls them.
 * loop: parallel independent
 * loop: parallel reduction
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 40, N = 300 };

static void scale(int *x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        x[i] = x[i] * 3 + i;
}

static int sum(const int *x, int n) {
    int all = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        all += x[i] % 1000;
    return all;
}

static int both(int *x, int n) {
    scale(x, n);
    return sum(x, n);
}

int main(void) {
    int(*a)[N] = calloc(ROWS, sizeof *a), *s = calloc(ROWS, sizeof *s);
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (int t = 0; t < ROWS; ++t)
            s[t] += both(a[t], N - t);
#pragma orrery parallel
        for (int t = 0; t < ROWS; ++t)
            s[t] ^= sum(a[t], t);
        s[pass] += both(a[pass], N);
    }
    scale(s, ROWS);
    printf("%d %d\n", sum(s, ROWS), sum(a[0], ROWS * N));
    free(a), free(s);
    return 0;
}
