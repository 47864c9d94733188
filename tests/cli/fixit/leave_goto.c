/* ORR2222 */
static int halve(double *row, int k) {
    for (int j = 0; j < k; ++j) {
        if (row[j] < 0)
            return j + 1;
        row[j] *= .5;
    }
    return 0;
}
int all(int n, int k, double *rows) {
    int rc = 0, i;
#pragma orrery parallel
    for (i = 0; i < n; ++i)
        if ((rc = halve(rows + (long)i * k, k)) != 0)
            goto out;
    rows[0] += 1;
out:
    return rc * 1000 + i;
}
