/* expect: parallel wavefront ordered
 * dims: i
 * carried u: i=1
 * carried s: i=+
 */
/* What is added up in an array is added in the loop's order;
 * a number that is no float may be folded. */
void sweep(int n, double u[n][n], double *restrict s, long *restrict count) {
#pragma orrery parallel
    for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < n - 1; ++j) {
            u[i][j] = (u[i - 1][j] + u[i][j - 1] + u[i + 1][j]) / 3;
            s[j] += u[i][j];
            count[j % 7] += 1;
        }
}
