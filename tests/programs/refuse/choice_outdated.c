/* expect: serial ORR2201 10:28 `best` */
/* Where the second `if` sets best, the first may have made it less: it is no minimum. */
int least(const double *x, const double *y, int n);

int least(const double *x, const double *y, int n) {
    double best = 1e30;
    int at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        int first = x[i] < best, second = y[i] < best;
        if (first) {
            best = x[i];
            at = i;
        }
        if (second) {
            best = y[i];
            at = n + i;
        }
    }
    return at;
}
