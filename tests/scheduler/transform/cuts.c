/* Nests in which one iteration alone writes what the others read: "parts", or "kept". */
#include <stdio.h>
#include <stdlib.h>

enum { N = 400 };

static int d[N][N];
static double a[N][N], b[N][N];

/* parts: of rows and of columns */
static void shortest(int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}

/* parts: the counters stay, and are read */
static int spread(int n, int k) {
    int i, j;
    for (i = 2; i <= n - 1; i++)
        for (j = 0; j < n; j++)
            a[i - 1][j] += a[k][j] * .25;
    return i;
}

/* parts: of rows alone */
static void mixed(int n, int k) {
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < n; j++)
            b[i][j] = b[i][j - 1] * .5 + b[k][j];
        b[i][0] = b[k][1] - i;
    }
}

/* kept: the row before is read, too */
static void before(int n, int k) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            b[i][j] = b[i - 1][j - 1] * .5 + b[k][j];
}

/* kept: two rows are read */
static void both(int n, int k, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            b[i][j] = b[i][j - 1] + b[m][j] - b[k][j];
}

/* kept: any row is read */
static void any(int n, const int *row) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            b[i][j] = b[i][j - 1] + b[row[i]][j];
}

static double sum_of(double x[N][N]) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = sum * .75 + x[i][j];
    return sum;
}

int main(int argc, char **argv) {
    int n = N - (argc > 1 ? atoi(argv[1]) : 0);
    static int row[N];
    long sum = 0;
    for (int i = 0; i < N; i++) {
        row[i] = i * 7 % N;
        for (int j = 0; j < N; j++)
            d[i][j] = (i * 7 + j * 13) % 97 - (i == j), a[i][j] = i % 7 - j % 3, b[i][j] = j % 11;
    }
    shortest(n);
    printf("%d", spread(n, n / 3));
    printf(" %d", spread(n, 0));
    printf(" %d\n", spread(n, n - 1));
    mixed(n, n / 2), mixed(n, 0), mixed(n, n - 1), before(n, 3), both(n, 3, 5), any(n, row);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = sum * 3 + d[i][j];
    printf("%lx %a %a\n", (unsigned long)sum, sum_of(a), sum_of(b));
}
