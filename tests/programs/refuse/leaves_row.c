/* expect: serial ORR2241 7:23 `b[i][j - 1]` */
/* b[1][-1] is b[0][m - 1] on every machine: iterations meet */
void move(int n, int m, double b[n][m]) {
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j - 1];
}
