/* expect: serial ORR2402 5:9 `if (skip[i])` */
void early(int n, int m, const char *restrict skip, double x[n][m]) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i) {
        if (skip[i])
            continue;
        for (int j = 1; j < m; ++j)
            x[i][j] += x[i - 1][j] + x[i][j - 1];
    }
}
