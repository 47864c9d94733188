/* expect: parallel reduction ordered
 * reductions: + sum
 */
/* sums in memory of unknown size need a copy per row of the grid */
void f(double *sum, const int *key, const double *x, long n, int keys) {
#pragma orrery parallel extent(sum : keys + 1)
    for (long i = 0; i < n; ++i)
        sum[key[i]] += x[i];
}
