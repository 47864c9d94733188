/* expect: serial ORR2201 8:22 `at]` */
/* says: `at` is the place of a maximum so far */
/* another array is looked at there */
long arg_max(const float *x, const float *y, long count) {
    long at = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] > y[at])
            at = n;
    return at;
}
