/* expect: serial ORR2275 6:23 `a[n - 1]` */
/* says: each element of a is the maximum of one before it */
void envelope(double *a, long count) {
#pragma orrery parallel
    for (long n = 1; n < count; ++n)
        a[n] = a[n] > a[n - 1] ? a[n] : a[n - 1];
}
