/* expect: parallel levels ordered
 * carried x: i=+
 */
/* loops around an element that all call their variable p */
void f(int n, double *restrict x, const int *restrict ptr, const int *restrict column,
       const int *restrict row, const double *restrict v) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p) {
            int c = column[p];
            for (int p = ptr[c]; p < ptr[c + 1]; ++p)
                x[i] -= v[p] * x[row[p]];
        }
}
