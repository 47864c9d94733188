/* expect: parallel independent ordered
 * dims: i
 */
void columns(double *restrict a, int n, int m) {
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int j = 0; j < m; ++j)
            a[j * n + i] = a[j * n + i] * 2 + j;
}
