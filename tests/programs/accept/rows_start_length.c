/* expect: parallel independent ordered
 * carried: none
 * guard: no two iterations share an element of val from start[i] to before
 */
void scale(const int *start, const int *len, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < len[i]; ++j)
            val[start[i] + j] = val[start[i] + j] * .5 + j;
}
