/* expect: parallel independent ordered
 * carried: none
 * guard: val from ptr[i] - 1 to before ptr[i + 1] - 1, as when ptr is monotone
 */
void scale(const long *ptr, float *val, long n) {
#pragma orrery parallel
    for (long i = 1; i <= n; ++i)
        for (long p = ptr[i] - 1; p < ptr[i + 1] - 1; ++p)
            val[p] = val[p] * .5f + i;
}
