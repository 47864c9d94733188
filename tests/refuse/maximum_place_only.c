/* expect: serial ORR2201 8:22 `at]` */
/* says: `at` is the place of a maximum so far */
/* the place of the maximum is kept, and nothing else */
long arg_max(const float *x, long count) {
    long at = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] > x[at])
            at = n;
    return at;
}
