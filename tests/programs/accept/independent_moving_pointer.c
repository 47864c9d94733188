/* expect: parallel independent ordered
 * carried: none
 */
void sums(float *out, const float *a, int K, long rows) {
#pragma orrery parallel
    for (long n = 0; n < rows; ++n) {
        const float *p = a + n * K;
        float s = 0;
        for (int k = 0; k < K; ++k)
            s += *p++;
        out[n] = s;
    }
}
