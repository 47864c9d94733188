/* expect: serial ORR2202 7:30 `found` */
/* the last one is set inside of another assignment */
long last(const float *x, long *y, long count) {
    long found = -1;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        if (x[n] > 0) y[n] = found = n;
    return found;
}
