/* expect: parallel partition-1d unordered
 * dims: u[n]
 * carried W: u[n]=0
 */
void decay(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (v[n] < 0)
            continue;
        W[u[n]] = W[u[n]] * .5f + v[n];
    }
}
