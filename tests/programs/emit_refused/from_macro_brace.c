/* ORR2302 */
/* says: its whole body comes out of a macro that brings more than the body */
#define BODY(i) x[i] = 1; }
void f(float *x, long n) {
    if (n > 9) {
#pragma orrery parallel
        for (long i = 1; i < n; ++i)
            BODY(i);
}
