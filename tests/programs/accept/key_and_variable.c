/* expect: parallel partition-1d unordered
 * keys: 1
 * carried W: u[n]=0
 */
void trace(float *W, float *seen, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        seen[n] = W[u[n]];
        W[u[n]] = W[u[n]] * .5f + v[n];
    }
}
