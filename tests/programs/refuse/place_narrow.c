/* expect: serial ORR2201 8:22 `at]` */
/* says: `at` is the place of a minimum so far */
/* a long in an int may be another place */
int arg_min(const float *x, long count) {
    int at = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] < x[at])
            at = n;
    return at;
}
