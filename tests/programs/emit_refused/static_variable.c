/* ORR2306 */
void f(float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        static const float two = 2;
        x[i] = two;
    }
}
