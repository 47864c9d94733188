/* expect: parallel independent ordered
 * carried: none
 * guards: some
 * assumed: ptr is monotone
 */
void scale(const int *ptr, double *val, int n) {
#pragma orrery parallel assume(monotone(ptr))
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            val[p] = val[p] * .5 + i;
}
