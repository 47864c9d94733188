/* expect: parallel independent ordered
 * carried: none
 */
void reverse(double *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n / 2; ++i) {
        double t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}
