/* expect: parallel tournament unordered
 * dims: (unsigned char)u[n], u[n]
 * rotating: W
 *
 * The truncated id is another key, of another width.
 */
void pass(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        W[u[n]] = W[(unsigned char)u[n]] * .5f + v[n];
}
