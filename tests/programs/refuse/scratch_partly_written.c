/* expect: serial ORR2231 10:28 `t[k]` */
/* a scratch array that keeps what the iteration before left */
void scratch(float *a, const int *length, int K, long rows) {
    float t[16] = {0};
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n) {
        for (int k = 0; k < length[n]; ++k)
            t[k] = a[n * K + k];
        for (int k = 0; k < K; ++k)
            a[n * K + k] = t[k] * 2;
    }
}
