/* expect: serial ORR2270 10:13 `least = x[n]` */
/* says: is rounded, and the order counts */
/* a minimum of doubles in a float */
long arg_min(const double *x, long count, float *y) {
    float least = x[0];
    long where = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < least) {
            least = x[n];
            where = n;
        }
    return where;
}
