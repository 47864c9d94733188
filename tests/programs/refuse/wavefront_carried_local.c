/* expect: serial ORR2401 8:9 `for (int j = 1; j < m; ++j) {` */
void smooth(int n, int m, double x[n][m]) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i) {
        double left = 0, *up = x[i - 1];
        double *row = x[i];
        long last = m - 1;
        for (int j = 1; j < m; ++j) {
            left = .5 * left + up[j];
            row[j] = left + row[last];
        }
    }
}
