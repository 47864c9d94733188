/* expect: parallel independent ordered
 * carried: none
 */
void odd(double *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        if (!(i & 1))
            continue;
        a[i] = a[i - 1] + 1;
    }
}
