/* ORR2404 */
void sweep(int n, double u[n][n]) {
#pragma orrery parallel
    for (int i = 1; i < n - 1; ++i) {
#pragma GCC unroll 2
        for (int j = 1; j < n - 1; ++j)
            u[i][j] = .5 * (u[i - 1][j] + u[i][j - 1]);
    }
}
