/* expect: ORR2462 5 */
/* a lane's own memory is small */
void smooth(float *restrict x, const float *restrict y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float last[20000];
        for (int j = 0; j < 20000; ++j)
            last[j] = y[i] * j;
        x[i] = last[i % 20000];
    }
}
