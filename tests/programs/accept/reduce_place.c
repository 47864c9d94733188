/* expect: parallel reduction unordered
 * carried: none
 * reductions: argmax at
 */
long arg_max(const float *x, long count) {
    long at = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        if (x[n] > x[at])
            at = n;
    return at;
}
