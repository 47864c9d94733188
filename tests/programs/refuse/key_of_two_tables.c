/* expect: serial ORR2205 9:9 `w[0]` */
/* a row of one table or of another depends on the data */
void pass(float *W, float *V, const int *a, const int *b, const float *v, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *w = W + a[n] * K;
        if (v[n] > 0)
            w = V + b[n] * K;
        w[0] = w[0] * .5f + v[n];
    }
}
