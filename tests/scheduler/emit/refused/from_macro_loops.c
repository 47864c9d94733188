/* ORR2302 */
/* says: its text comes out of a macro */
#define LOOPS(n) for (long i = 0; i < n; ++i) x[i] = 1; for (long i = 0; i < n; ++i) y[i] = x[i]
void f(float *restrict x, float *restrict y, long n) {
#pragma orrery parallel
    LOOPS(n);
}
