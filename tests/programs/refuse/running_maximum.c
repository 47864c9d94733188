/* expect: serial ORR2275 10:23 `high + x` */
/* says: `high` is the running maximum (line 8) */
/* the highest so far is stored beside each value */
void envelope(double *top, const double *x, long count) {
    double high = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        if (x[n] > high)
            high = x[n];
        top[n] = 2 * (high + x[n]);
    }
}
