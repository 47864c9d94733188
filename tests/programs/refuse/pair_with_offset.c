/* expect: serial ORR2121 6:27 `V[b[n] + 1]` */
/* the row of b == 4 is that of a == 5 */
void edges(float *V, const int *a, const int *b, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        V[a[n]] += v[n] * V[b[n] + 1];
        V[b[n] + 1] -= v[n];
    }
}
