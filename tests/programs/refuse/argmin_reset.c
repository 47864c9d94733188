/* expect: serial ORR2270 9:20 `least || n % 100 == 0` */
/* says: `least` decides here whether it is set */
/* the first one counts in any case, and every hundredth */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < least || n % 100 == 0) {
            least = x[n];
            where = n;
        }
    return where;
}
