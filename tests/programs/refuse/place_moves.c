/* expect: serial ORR2201 10:33 `at]` */
/* says: `at` is the place of a minimum so far */
/* the row that is looked at is the iteration's */
long arg_min(const float *x, const int *row, long count, long K) {
    long at = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        long k = row[n];
        float v = x[k * K + n];
        if (v < x[(k + 0) * K + at])
            at = n;
    }
    return at;
}
