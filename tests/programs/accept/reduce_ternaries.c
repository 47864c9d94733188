/* expect: parallel reduction ordered
 * carried: none
 * reductions: argmin at, min best
 */
int least(const int *x, int n, int *value) {
    int best = 1 << 30, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        at = x[i] < best ? i : at;
        best = x[i] < best ? x[i] : best;
    }
    *value = best;
    return at;
}
