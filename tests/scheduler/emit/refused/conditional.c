/* ORR2303 */
void f(float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
#ifdef OTHER
        x[i] = 1;
    }
    for (long i = 0; i < n; ++i) {
#endif
        x[i] = 2;
    }
}
