/* expect: serial ORR2231 9:9 `a[6]` */
static int a[4096];

void odd(const int *restrict x, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        a[2 * n] = x[n];
        a[7] = 1;
        a[6] += x[n];
    }
}
