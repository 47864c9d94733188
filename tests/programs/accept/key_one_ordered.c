/* expect: parallel partition-1d ordered
 * dims: u[n]
 * carried W: u[n]=0
 */
void decay(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        W[u[n]] = W[u[n]] * .5f + v[n];
}
