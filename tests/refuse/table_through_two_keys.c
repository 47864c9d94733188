/* expect: serial ORR2103 6:27 `V[a[n]]` */
/* one table, two keys: any two iterations may meet */
void edges(float *V, const int *a, const int *b, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float d = v[n] - (V[a[n]] - V[b[n]]);
        V[a[n]] += .1f * d;
        V[b[n]] -= .1f * d;
    }
}
