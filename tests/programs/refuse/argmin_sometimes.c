/* expect: serial ORR2270 11:13 `if (y[n] > 0` */
/* says: `least` would be a reduction (a minimum with what is set along with it) but for this */
/* the place is not always set along with the minimum */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < least) {
            least = x[n];
            if (y[n] > 0)
                where = n;
        }
    return where;
}
