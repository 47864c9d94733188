/* expect: parallel independent unordered
 * carried: none
 * guards: some
 */
void rows(float *a, long count, int K, int M) {
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i)
        for (int k = 0; k < M; ++k)
            a[i * K + k] = a[i * K + k] * .5f + i;
}
