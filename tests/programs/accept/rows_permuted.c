/* expect: parallel independent ordered
 * carried: none
 * guard: val from ptr[order[i]] to before ptr[order[i] + 1]
 */
/* rows taken in another order: none may come twice */
void scale(const int *order, const long *ptr, float *val, int K, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        int r = order[i];
        for (long t = ptr[r]; t < ptr[r + 1]; ++t)
            for (int k = 0; k < K; ++k)
                val[t * K + k] = val[t * K + k] * .5f + k;
    }
}
