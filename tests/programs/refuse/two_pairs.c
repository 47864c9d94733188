/* expect: serial ORR2103 7:27 `V[b[n]]` */
/* two tables, each reached through two keys of its own, and one of them beside a key, too */
void edges(float *V, float *W, const int *a, const int *b, const int *c, const int *d,
           const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        V[a[n]] += v[n] * V[b[n]];
        V[b[n]] -= v[n];
        W[c[n]] += v[n] * W[d[n]];
        W[d[n]] -= W[c[n] + 1];
    }
}
