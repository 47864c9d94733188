/* expect: serial ORR2400 6:19 `x[i - 1][n - 1]` */
/* the first element needs the last one of the row before: no block of a row can begin */
void wraps(int n, double x[n][n]) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i) {
        x[i][0] = x[i - 1][n - 1];
        x[i][1] = x[i - 1][0];
        for (int j = 2; j < n; ++j)
            x[i][j] = x[i][j - 1] + x[i - 1][j];
    }
}
