/* ORR2304 */
void f(float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
#define TWO 2
        x[i] = TWO;
    }
}
