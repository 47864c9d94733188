/* ORR2308 */
static float t[16];
static void fill(const float *x, float (*out)[16]) {
    for (int k = 0; k < 16; ++k)
        (*out)[k] = x[k] * 2;
}
void f(const float *restrict x, float *restrict y, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        fill(x + i * 16, &t);
        for (int k = 0; k < 16; ++k)
            y[i] += t[k];
    }
}
