/* ORR2303 */
void f(float *x, long n) {
#ifdef OTHER
    for (long i = 1; i < n; ++i) {
#else
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
#endif
        x[i] = 2;
    }
}
