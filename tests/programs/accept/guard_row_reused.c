/* expect: parallel independent unordered
 * guards: some
 */
void spread(double *restrict a, int n, int K) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < K; ++j)
            a[20 * i + 6 * j] = a[20 * i] + j;
}
