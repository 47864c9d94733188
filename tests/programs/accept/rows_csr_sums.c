/* expect: parallel independent ordered
 * carried: none
 * reductions: none
 * guards: some
 */
/* each sum is of one iteration's own elements: no copy of val is needed */
void add(const int *ptr, double *val, const double *g, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            val[p] += g[i];
}
