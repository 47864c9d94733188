/* expect: serial ORR2105 14:13 `q[i][j] = i;` */
/* whoever keeps the address of the width may change it after the array was made */
void keep(int *width);
void change(void);

double pass(int n) {
    int m = n;
    keep(&m);
    double q[n][m];
    change();
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            q[i][j] = i;
    return q[n - 1][0];
}
