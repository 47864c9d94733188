/* ORR2312 */
void f(float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
#pragma orrery parallel
        for (long j = 0; j < 8; ++j)
            x[i * 8 + j] = 1;
}
