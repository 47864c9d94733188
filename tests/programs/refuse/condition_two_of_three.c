/* expect: serial ORR2104 7:20 `a[i - 1]` */
/* of three neighbours in a row, two pass the condition */
void some(double *a, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; ++i)
        if (i % 3)
            a[i] = a[i - 1] + 1;
}
