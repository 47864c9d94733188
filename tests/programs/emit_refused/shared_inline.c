/* ORR2313 */
void scale(float *x, long n);
inline void scale(float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] *= 2;
}
