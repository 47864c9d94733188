/* expect: serial ORR2104 6:17 `a[n - 1]` */
/* neighbours change while they are read */
void relax(float *a, long count) {
#pragma orrery parallel unordered
    for (long n = 1; n < count - 1; ++n)
        a[n] = (a[n - 1] + a[n + 1]) / 2;
}
