/* expect: parallel independent ordered
 * carried: none
 */
void smooth(float *a, int K, long rows) {
#pragma orrery parallel
    for (long n = 0; n < rows; ++n) {
        float t[3] = {0};
        for (int k = 0; k < K; ++k) {
            t[k % 3] = a[n * K + k];
            a[n * K + k] = (t[0] + t[1] + t[2]) / 3;
        }
    }
}
