/* ORR2308 */
/* says: asks for the alignment or the extent of `y` */
long f(long *x, long n) {
    _Alignas(64) long y[9] = {1, 2, 3};
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] = (long)_Alignof(y) + y[i % 9];
    return y[0];
}
