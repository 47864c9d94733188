/* expect: serial ORR2270 16:16 `beside(x` */
/* says: but for this use of `where` */
/* a function sees the place so far */
static long where;
static float beside(const float *y) {
    return y[where];
}
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        if (x[n] < least) {
            least = x[n];
            where = n;
        }
        y[n] = beside(x);
    }
    return where;
}
