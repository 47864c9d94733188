/* ORR2404 */
/* The conditional ends behind what would be cut; and a directive of a branch that is taken. */
void sweep(int n, double u[n][n]) {
#pragma orrery parallel
    for (int i = 1; i < n - 1; ++i) {
#ifdef OTHER
        for (int j = 2; j < n - 1; ++j)
#else
#pragma GCC unroll 2
        for (int j = 1; j < n - 1; ++j)
#endif
            u[i][j] = .5 * (u[i - 1][j] + u[i][j - 1]);
    }
}
