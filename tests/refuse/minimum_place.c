/* expect: serial ORR2201 9:20 `least` */
/* says: `least` is the minimum so far, and `where` is set along with it */
/* the place of the minimum is not a minimum */
long arg_min(const float *x, long count) {
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
