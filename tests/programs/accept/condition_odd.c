/* expect: parallel independent ordered
 * carried: none
 */
void odd(double *a, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; ++i)
        if (i % 2)
            a[i] = a[i - 1] + 1;
}
