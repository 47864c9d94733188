/* expect: serial ORR2231 8:16 `s[0]` */
/* 0 - 1 is the greatest number there is: the first iteration sets what all others read */
void first(double *restrict a, double *restrict s, unsigned long n) {
#pragma orrery parallel
    for (unsigned long i = 0; i < n; ++i) {
        if (i - 1 >= n)
            s[0] = a[i];
        a[i] = s[0];
    }
}
