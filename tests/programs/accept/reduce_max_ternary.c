/* expect: parallel reduction unordered
 * reductions: max most
 */
int maximum(const int *x, long count) {
    int most = x[0];
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        most = x[n] > most ? x[n] : most;
    return most;
}
