/* expect: parallel independent ordered
 * carried: none
 */
void halves(double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (i < m)
            a[i] = a[i + m] + 1;
        else if (i >= 3 * m || i == 2 * m)
            a[i] = a[i] * 2;
}
