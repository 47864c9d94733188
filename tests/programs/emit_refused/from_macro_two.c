/* ORR2302 */
/* says: its whole body comes out of a macro that brings more than the body */
#define NEXT(x, i) x[i] = 1; x[(i) + 1]
void f(float *x, long n) {
    long i;
#pragma orrery parallel
    for (i = 1; i < n; ++i)
        NEXT(x, i) = 2;
}
