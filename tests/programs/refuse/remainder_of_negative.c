/* expect: serial ORR2104 7:24 `a[i]` */
/* -1 % 2 is -1: both neighbours of an even number pass */
void odd(double *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < 2 * n; ++i)
        if ((i - n) % 2 != 1)
            a[i + 1] = a[i] + 1;
}
