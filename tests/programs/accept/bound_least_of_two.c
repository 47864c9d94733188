/* expect: parallel partition-1d unordered
 * dims: u[n]
 */
void pass(float *W, const int *u, int K, int M, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int k = 0; k < K && k < M; ++k)
            W[u[n] * K + k] = W[u[n] * K + k] * .5f + 1;
}
