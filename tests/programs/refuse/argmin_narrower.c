/* expect: serial ORR2270 10:13 `least = x[n]` */
/* says: is rounded, and the order counts */
/* a minimum of unsigned numbers in a signed one */
long arg_min(const unsigned *x, long count, float *y) {
    int least = 1000;
    long where = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < least) {
            least = x[n];
            where = n;
        }
    return where;
}
