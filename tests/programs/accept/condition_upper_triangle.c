/* expect: parallel independent ordered
 * carried: none
 */
void mirror(double (*a)[100], int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (j > i)
                a[i][j] = a[j][i];
}
