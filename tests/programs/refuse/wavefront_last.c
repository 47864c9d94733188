/* expect: serial ORR2104 8:25 `x[i - 1][j]` */
/* the first cell of the loop's order that is large: blocks come in another order */
void sweep(int n, double x[n][n], int *row) {
    int found = -1;
#pragma orrery parallel
    for (int i = 1; i < n; ++i)
        for (int j = 1; j < n; ++j) {
            double up = x[i - 1][j];
            x[i][j] = .5 * (up + x[i][j - 1]);
            if (x[i][j] > 100)
                found = i * n + j;
        }
    *row = found;
}
