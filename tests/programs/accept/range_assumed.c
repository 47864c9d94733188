/* expect: parallel partition-1d unordered
 * dims: row[i], col[i]
 * guards: none
 * assumed: 0 <= col && col < K
 */
/* the columns stay inside of the lines: nothing is left for the run to look at */
void f(const int *restrict row, const int *restrict col, double *restrict M, int K, int n) {
#pragma orrery parallel unordered assume(range(col, 0, K))
    for (int i = 0; i < n; ++i)
        M[row[i] * K + col[i]] = M[row[i] * K + col[i]] * .5 + i;
}
