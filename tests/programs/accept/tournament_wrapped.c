/* expect: parallel tournament unordered
 * rotating: T
 *
 * An index that wraps around meets itself again.
 */
void ring(float *T, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        unsigned char b = (unsigned char)n;
        T[b] = T[(unsigned char)(b + 1)] * .5f + v[n];
    }
}
