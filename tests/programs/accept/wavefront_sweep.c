/* expect: parallel wavefront ordered
 * dims: i
 * carried u: i=1
 */
/* Gauss-Seidel: each cell from two new and two old neighbours. */
void sweep(double *restrict u, const double *restrict f, long n) {
#pragma orrery parallel
    for (long i = 1; i < n - 1; ++i)
        for (long j = 1; j < n - 1; ++j)
            u[i * n + j] = .25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                  u[i * n + j + 1] - f[i * n + j]);
}
