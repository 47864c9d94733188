/* expect: serial ORR2204 9:9 `V[c[n]]` */
/* the third key of a record is what an earlier record has left there */
void pass(float *V, const int *a, const int *b, int *c, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        V[a[n]] += .5f * V[b[n]];
        V[b[n]] += .5f * V[a[n]];
        c[b[n]] = a[n];
        V[c[n]] -= 1;
    }
}
