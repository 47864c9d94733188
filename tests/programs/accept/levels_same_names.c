/* ORR2125 */
void f(int n, double *x, const int *ptr, const int *column, const int *row, const double *v) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p) {
            int c = column[p];
            for (int p = ptr[c]; p < ptr[c + 1]; ++p)
                x[i] -= v[p] * x[row[p]];
        }
}
