/* expect: serial ORR2270 12:13 `y[n] = least` */
/* says: how often it happens depends on the iterations before */
/* the minimum is stored for some iterations */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < least) {
            least = x[n];
            where = n;
            y[n] = least;
        }
    return where;
}
