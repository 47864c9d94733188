/* expect: parallel rotation-nd unordered
 * dims: a[n], b[n], c[n]
 * carried W: a[n]=0
 * carried H: b[n]=0
 * carried T: c[n]=0
 * placed: W H
 * rotating: H T
 */
void tensor(float *W, float *H, float *T, const int *a, const int *b, const int *c, const float *v,
            long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float e = v[n] - W[a[n]] * H[b[n]] * T[c[n]];
        W[a[n]] = W[a[n]] * .9f + e;
        H[b[n]] = H[b[n]] * .9f + e;
        T[c[n]] = T[c[n]] * .9f + e;
    }
}
