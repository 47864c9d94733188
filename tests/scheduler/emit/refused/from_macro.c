/* ORR2302 */
/* says: its whole body comes out of a macro */
#define BODY(i) { x[i] = 1; }
void f(float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        BODY(i)
}
