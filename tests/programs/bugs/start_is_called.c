/* same: 4 */
/* A loop's start that only its own text can say was read from the variable, which is not there yet
 * or holds something else. */
#include <stdio.h>
#include <string.h>

static char t[300][24];
static double x[5000], y[5000];

static int fill(void) {
    int all = 0;
    for (int i = 0; i < 300; ++i) {
        snprintf(t[i], sizeof t[i], "%d", i);
#pragma orrery parallel
        for (size_t q = strlen(t[i]); q < sizeof t[i]; ++q)
            t[i][q] = 'x';
        all += t[i][1] + t[i][23];
    }
    return all;
}

static int later(const char *s, int n) {
    int q = n - 3;
#pragma orrery parallel
    for (q = (int)strlen(s); q < n; ++q)
        x[q] = y[2 * n - q] + q;
    return q;
}

static long scaled(const char *s, int n, int m) {
    long q = 4 * n;
#pragma orrery parallel
    for (q = (long)strlen(s); q < n; ++q)
        y[q * m] = (double)q;
    return q;
}

static unsigned until(const char *s, unsigned n) {
    unsigned q = n + 1;
#pragma orrery parallel
    for (q = (unsigned)strlen(s); q != n; ++q)
        x[q] += y[q];
    return q;
}

int main(void) {
    int a = fill(), b = later("0123456789", 2000);
    long c = scaled("012", 1500, 3);
    unsigned d = until("01", 2500), sum = 0;
    for (int i = 0; i < 5000; ++i)
        sum = sum * 31 + (unsigned)(x[i] + 3 * y[i]);
    printf("%d %d %ld %u %u\n", a, b, c, d, sum);
}
