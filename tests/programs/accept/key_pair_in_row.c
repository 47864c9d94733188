/* expect: parallel partition-1d unordered
 * dims: u[n]
 * carried W: u[n]=0
 */
void pairs(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float d = W[2 * u[n]] - W[2 * u[n] + 1];
        W[2 * u[n]] -= v[n] * d;
        W[2 * u[n] + 1] += v[n] * d;
    }
}
