/* expect: parallel partition-1d ordered
 * dims: *u
 * carried W: *u=0
 */
void decay(float *restrict W, const int *restrict u, const float *restrict v, long count) {
#pragma orrery parallel
    while (count-- > 0) {
        int row = *u++;
        W[row] = W[row] * .5f + *v++;
    }
}
