/* expect: ORR2460 4 */
void solve(double *x, const int *row, const int *column, const double *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[row[i]] -= a[i] * x[column[i]];
}
