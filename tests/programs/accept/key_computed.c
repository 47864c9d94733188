/* expect: parallel partition-1d unordered
 * keys: 1
 */
void bucket(float *T, const unsigned *u, const float *v, unsigned buckets, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        unsigned b = (u[n] * 31u + 7u) % buckets;
        T[b] = T[b] * .9f + v[n];
    }
}
