/* expect: parallel wavefront ordered
 * guards: none
 * carried L: i=1
 */
/* Counted from 1, the left neighbour j - 1 is in the same row: nothing is left to check. */
void lcs(const char *restrict a, const char *restrict b, int n, int m, int *restrict L) {
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j)
            if (a[i - 1] == b[j - 1])
                L[i * (m + 1) + j] = L[(i - 1) * (m + 1) + j - 1] + 1;
            else if (L[(i - 1) * (m + 1) + j] > L[i * (m + 1) + j - 1])
                L[i * (m + 1) + j] = L[(i - 1) * (m + 1) + j];
            else
                L[i * (m + 1) + j] = L[i * (m + 1) + j - 1];
}
