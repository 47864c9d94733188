/* expect: parallel wavefront ordered
 * dims: i
 * carried u: i=1
 */
/* Nine points: (1, -1) is carried, too, and needs a skew. */
void sweep(int n, double u[n][n]) {
#pragma orrery parallel
    for (int i = 1; i < n - 1; ++i) {
        double *row = u[i], *up = u[i - 1], *down = u[i + 1];
        for (int j = 1; j < n - 1; ++j)
            row[j] = (up[j - 1] + up[j] + up[j + 1] + row[j - 1] + row[j] + row[j + 1] +
                      down[j - 1] + down[j] + down[j + 1]) /
                     9;
    }
}
