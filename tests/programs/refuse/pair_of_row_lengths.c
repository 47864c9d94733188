/* expect: serial ORR2121 6:9 `V[a[n] * 2]` */
/* rows of two lengths in one table */
void edges(float *V, const int *a, const int *b, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        V[a[n] * 2] += v[n];
        V[b[n] * 3] -= v[n] * V[a[n] * 2];
    }
}
