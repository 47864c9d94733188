/* ORR2305 */
void f(float *x, long n) {
    enum { TWO = sizeof(n) / 4 };
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] = TWO;
}
