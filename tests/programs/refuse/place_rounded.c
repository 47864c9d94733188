/* expect: serial ORR2201 9:19 `at]` */
/* says: `at` is the place of a minimum so far */
/* what is compared is not what stands there */
long arg_min(const double *x, long count) {
    long at = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        float v = x[n];
        if (v < x[at])
            at = n;
    }
    return at;
}
