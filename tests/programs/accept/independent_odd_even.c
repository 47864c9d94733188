/* expect: parallel independent ordered
 * carried: none
 */
void halves(float *a, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        a[2 * n] = a[2 * n + 1] * .5f;
}
