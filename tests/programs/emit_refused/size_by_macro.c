/* ORR2308 */
/* says: takes the size or type of `y` by a macro that names it */
#define SIZE sizeof(y)
long f(long *x, long n) {
    long y[9] = {1, 2, 3};
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] = (long)SIZE + y[i % 9];
    return y[0];
}
