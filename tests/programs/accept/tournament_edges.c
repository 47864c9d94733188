/* expect: parallel tournament unordered
 * dims: a[n], b[n]
 * carried V: pair
 * rotating: V
 */
void edges(float *V, const int *a, const int *b, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float d = v[n] - (V[a[n]] - V[b[n]]);
        V[a[n]] += .1f * d;
        V[b[n]] -= .1f * d;
    }
}
