/* expect: parallel wavefront ordered
 * dims: i
 * carried length: i=1
 */
/* A table of dynamic programming with its border, from behind. */
void lcs(const char *restrict a, const char *restrict b, int n, int w, int length[n + 1][w]) {
#pragma orrery parallel
    for (int i = n - 1; i >= 0; --i) {
        length[i][w - 1] = 0;
        for (int j = w - 2; j >= 0; --j)
            if (a[i] == b[j])
                length[i][j] = length[i + 1][j + 1] + 1;
            else if (length[i + 1][j] > length[i][j + 1])
                length[i][j] = length[i + 1][j];
            else
                length[i][j] = length[i][j + 1];
    }
}
