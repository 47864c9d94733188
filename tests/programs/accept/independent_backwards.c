/* expect: parallel independent ordered
 * carried: none
 */
void map(float *a, long count) {
#pragma orrery parallel
    for (long n = count - 1; n >= 0; --n)
        a[n] = a[n] * 2 + 1;
}
