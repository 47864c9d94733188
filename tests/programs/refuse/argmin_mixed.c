/* expect: serial ORR2270 14:20 `least` */
/* says: but for this use of `least` */
/* two places of one minimum */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
    long other = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        if (x[n] < least) {
            least = x[n];
            where = n;
        }
        if (y[n] < least) {
            least = y[n];
            other = n;
        }
    }
    return where + other;
}
