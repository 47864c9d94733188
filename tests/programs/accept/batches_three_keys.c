/* expect: parallel batches unordered */
/* an edge and a negative sample: three rows of one table */
void edges(float *V, const int *a, const int *b, const int *c, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        V[a[n]] += v[n] * V[b[n]];
        V[b[n]] += v[n] * V[a[n]];
        V[c[n]] -= v[n] * V[a[n]];
    }
}
