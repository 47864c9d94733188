/* ORR2313 */
inline void scale(float *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        a[i] *= 2;
}
