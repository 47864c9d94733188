/* expect: parallel independent ordered
 * carried: none
 * guard: val from ptr[i] to before ptr[i + 1], as when ptr is monotone
 */
void scale(const int *ptr, double *val, const double *d, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            val[p] *= d[i];
}
