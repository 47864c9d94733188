/* expect: serial ORR2231 11:18 `t[k]` */
/* says: `t[k]` is set at line 9 */
/* one element less is set than read */
void scratch(float *out, const float *a, int K, long rows) {
    float t[64];
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n) {
        float s = 0;
        for (int k = 1; k < K; ++k) t[k] = a[n * K + k];
        for (int k = 0; k < K; ++k)
            s += t[k];
        out[n] = s;
    }
}
