/* expect: parallel reduction unordered
 * reductions: min least
 */
float minimum(const float *x, long count) {
    float least = x[0];
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        if (x[n] < least)
            least = x[n];
    return least;
}
