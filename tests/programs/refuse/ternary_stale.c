/* expect: serial ORR2201 9:26 `best` */
/* what was compared is not what is kept */
long arg_min(const float *x, long count) {
    long at = 0;
    float best = x[0], v;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        v = x[n];
        int better = v < best;
        v = x[n - 1];
        best = better ? v : best;
        at = better ? n : at;
    }
    return at + (long)best;
}
