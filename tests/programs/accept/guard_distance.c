/* expect: parallel independent ordered
 * guards: some
 */
void shift(double *restrict a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = a[i + m] * 2;
}
