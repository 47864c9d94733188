/* expect: parallel reduction ordered
 * reductions: + hits
 */
long hits(const float *x, long count, float limit) {
    long hits = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        if (x[n] > limit)
            ++hits;
    return hits;
}
