/* expect: serial ORR2201 9:22 `at]` */
/* says: `at` is the place of a minimum so far */
/* what stands there is another number later */
long arg_min(float *x, long count) {
    long at = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        x[n] *= .5f;
        if (x[n] < x[at])
            at = n;
    }
    return at;
}
