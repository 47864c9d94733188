/* ORR2302 */
/* says: its text comes out of a macro */
#ifdef __clang__
#define LOOPS(n) for (long i = 0; i < n; ++i) x[i] = 1; for (long i = 0; i < n; ++i) y[i] = x[i]
#else
#define LOOPS(n) for (long i = 1; i < n; ++i) x[i] = x[i - 1]
#endif
void f(float *restrict x, float *restrict y, long n) {
#pragma orrery parallel
    LOOPS(n);
}
