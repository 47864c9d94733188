/* expect: parallel independent ordered
 * carried: none
 */
void tiles(double *a, int n) {
#pragma orrery parallel
    for (int b = 0; b < n; b += 16)
        for (int j = b; j < (b + 16 < n ? b + 16 : n); ++j)
            a[j] = a[j] * .5 + 1;
}
