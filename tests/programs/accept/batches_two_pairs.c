/* expect: parallel batches unordered */
/* two tables, each reached through two keys of its own: a block would have one pair of parts */
void edges(float *V, float *W, const int *a, const int *b, const int *c, const int *d,
           const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        V[a[n]] += v[n] * V[b[n]];
        V[b[n]] -= v[n];
        W[c[n]] += v[n] * W[d[n]];
        W[d[n]] -= v[n];
    }
}
