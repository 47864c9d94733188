/* expect: parallel partition-1d unordered
 * dims: u[n]
 * carried W: u[n]=0
 * guards: some
 */
void pass(float *W, const int *u, const int *length, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int k = 0; k < length[n]; ++k)
            W[u[n] * K + k] = W[u[n] * K + k] * .5f + 1;
}
