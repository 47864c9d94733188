/* expect: serial ORR2270 13:16 `where` */
/* says: but for this use of `where` */
/* every iteration stores the place of the minimum so far */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        if (x[n] < least) {
            least = x[n];
            where = n;
        }
        y[n] = where;
    }
    return where;
}
