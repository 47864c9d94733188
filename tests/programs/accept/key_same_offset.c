/* expect: parallel partition-1d unordered
 * keys: 1
 */
void decay(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        W[u[n] + 1] = W[u[n] + 1] * .5f + v[n];
}
