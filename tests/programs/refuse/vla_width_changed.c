/* expect: serial ORR2105 8:23 `q[i][j] * .5 + 1` */
/* how wide rows are was said when the function was called; the variable says something else now */
void pass(int n, int m, double (*q)[m]) {
    m = m / 2;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            q[i][j] = q[i][j] * .5 + 1;
}
