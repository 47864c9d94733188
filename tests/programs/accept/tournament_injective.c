/* expect: parallel tournament unordered
 * dims: idx[i + 1], idx[i]
 * rotating: a
 *
 * An index array without duplicates, read at two places.
 */
void f(const int *idx, double *a, int n) {
#pragma orrery parallel unordered assume(injective(idx))
    for (int i = 0; i < n; ++i)
        a[idx[i]] = a[idx[i + 1]] * .5 + 1;
}
