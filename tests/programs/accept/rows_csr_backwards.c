/* expect: parallel independent ordered
 * carried: none
 * guard: val from ptr[i] to before ptr[i + 1], as when ptr is monotone
 */
void scale(const int *ptr, double *val, int n) {
#pragma orrery parallel
    for (int i = n - 1; i >= 0; --i)
        for (int p = ptr[i + 1] - 1; p >= ptr[i]; --p)
            val[p] = val[p] * .5 + i;
}
