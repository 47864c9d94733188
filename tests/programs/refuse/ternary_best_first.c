/* expect: serial ORR2201 9:21 `best` */
/* the place is looked for when the minimum is found already */
long arg_min(const float *x, long count) {
    long at = 0;
    float best = x[0];
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        best = x[n] < best ? x[n] : best;
        at = x[n] < best ? n : at;
    }
    return at + (long)best;
}
