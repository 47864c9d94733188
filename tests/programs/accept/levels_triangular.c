/* expect: parallel levels ordered
 * dims: i
 * carried x: i=+
 */
void solve(int n, const int *restrict ptr, const int *restrict col, const double *restrict val,
           const double *restrict diag, const double *restrict b, double *restrict x) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double s = b[i];
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            s -= val[p] * x[col[p]];
        x[i] = s / diag[i];
    }
}
