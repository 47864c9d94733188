/* expect: serial ORR2400 6:23 `x[i - 1][n - 1 - j]` */
void mirrored(int n, double x[n][n]) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i)
        for (int j = 0; j < n; ++j)
            x[i][j] = x[i - 1][n - 1 - j] + 1;
}
