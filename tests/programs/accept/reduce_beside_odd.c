/* expect: parallel reduction ordered
 * reductions: + a[6]
 */
static int a[4096];

void odd(const int *restrict x, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        a[2 * n + 1] = x[n];
        a[6] += x[n];
    }
}
