/* emit: 6 */
/* rows of variable length whose width was read, set twice, or computed before the array was declared */
#include <stdio.h>
#include <stdlib.h>

static double total;

static void add(const double *at, int count) {
    for (int i = 0; i < count; ++i)
        total = total * .9 + at[i];
}

static void read_in(const char *text) {
    int n, m;
    if (sscanf(text, "%d %d", &n, &m) != 2)
        return;
    double b[n][m];
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            b[i][j] = i * .5 + j;
    add(b[0], n * m);
}

static void one_more(int n, int m) {
    double dp[n + 1][2 * m - 1];
#pragma orrery parallel
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j < 2 * m - 1; ++j)
            dp[i][j] = i - j * .25;
    add(dp[0], (n + 1) * (2 * m - 1));
}

static void set_twice(int argc, int len) {
    if (argc > 3)
        len = argc;
    int n = len, m = len;
    double b[len][len];
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            b[i][j] = i + j * .125;
    add(b[0], len * len);
}

static void pointer_to_rows(int n, unsigned m) {
    m += 3;
    double (*q)[m] = malloc(n * sizeof *q);
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (unsigned j = 0; j < m; ++j)
            q[i][j] = i - j * .5;
    add(q[0], n * (int)m);
    free(q);
}

static void three(int n, int m) {
    double q[n][m + 1][n + 2];
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= m; ++j)
            for (int k = 1; k < n; ++k) {
                q[i][j][0] = i;
                q[i][j][k] = q[i][j][k - 1] * .5 + j;
            }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= m; ++j)
            add(q[i][j], n);
}

static void in_a_loop(int n, int m) {
    for (int k = 1; k < m; ++k) {
        int w = k;
        if (w > 4)
            w = 4;
        double q[n][w];
#pragma orrery parallel
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < w; ++j)
                q[i][j] = i * .25 - j * k;
        add(q[0], n * w);
    }
}

int main(int argc, char **argv) {
    read_in("21 13");
    one_more(17, 6);
    set_twice(argc, 19);
    pointer_to_rows(11, 5);
    three(7, 5);
    in_a_loop(9, 8);
    printf("%.17g\n", total);
    return argv[0] == 0;
}
