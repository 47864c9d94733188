/* expect: parallel independent ordered
 * carried: none
 */
void fold(float *a, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        a[n] = a[n + count];
}
