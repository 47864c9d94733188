/* ORR2303 */
/* Compilers tell themselves apart by it. */
#ifndef __GNUC__
void f(float *x, long n) {
    for (long i = 1; i < n; ++i) {
#else
void f(float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
#endif
        x[i] = 2;
    }
}
