/* expect: serial ORR2270 11:22 `least` */
/* says: but for this use of `least` */
/* the second least is the one that was the least */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
    float second = x[0];
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < least) {
            second = least;
            least = x[n];
            where = n;
        }
    return where + (second > 0);
}
