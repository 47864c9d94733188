/* ORR2304 */
void f(float *x, long n) {
#ifdef FAST
#define TWO 2
#else
#define TWO 3
#endif
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] = TWO;
}
