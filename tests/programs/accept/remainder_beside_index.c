/* expect: parallel independent ordered
 * carried: none
 */
void spread(double *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[2 * i + i % 2] = i;
}
