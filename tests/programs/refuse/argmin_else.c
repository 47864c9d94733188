/* expect: serial ORR2270 14:13 `other = n` */
/* says: but for this `else` */
/* who is not the minimum is another place */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
    long other = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < least) {
            least = x[n];
            where = n;
        } else
            other = n;
    return where + other;
}
