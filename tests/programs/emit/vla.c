/* emit: 2, one rank */
#include <stdio.h>

static void rows(int n, int m, double a[n][m], const double (*b)[m]) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            a[i][j] = 2 * b[i][j] + j;
}

int main(void) {
    int n = 40, m = 7;
    double a[n][m], b[n][m];
    long total[n];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            b[i][j] = i - j;
    rows(n, m, a, (const double (*)[m])b);
    m = 3;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        total[i] = 0;
        for (int j = 0; j < m; ++j)
            total[i] += (long)a[i][j];
    }
    long sum = 0;
    for (int i = 0; i < n; ++i)
        sum = sum * 7 % 10007 + total[i];
    printf("%ld\n", sum);
    return 0;
}
