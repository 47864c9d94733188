/* ORR2221 */
static int halve(double *row, int k) {
    for (int j = 0; j < k; ++j) {
        if (row[j] < 0)
            return j + 1;
        row[j] *= .5;
    }
    return 0;
}
int all(int n, int k, double *rows) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        const int rc = halve(rows + (long)i * k, k);
        if (rc != 0)
            return -rc;
    }
    return 0;
}
