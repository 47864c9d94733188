/* expect: parallel reduction ordered
 * carried: none
 * reductions: min least
 */
float least_of(const float *a, long n) {
    float least = a[0];
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        if (*(a + i) < least)
            least = a[i];
    return least;
}
