/* expect: parallel independent
 * dims: i
 */
void move(int n, int m, double b[n][m], const int *restrict open) {
#pragma orrery parallel
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < m; j++)
            if (j > 0)
                b[i][j] += b[i][j - 1];
        for (int j = m - 1; j >= 0; j -= 2)
            b[i][m - 1 - j] *= 2;
        if (open[i])
            for (int j = 1; j < m; j++)
                b[i][j - 1] += 1;
    }
}
