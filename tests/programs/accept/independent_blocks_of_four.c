/* expect: parallel independent ordered
 * carried: none
 */
void quads(float *a, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; n += 4) {
        float s = (a[n] + a[n + 1] + a[n + 2] + a[n + 3]) / 4;
        a[n] -= s;
        a[n + 1] -= s;
        a[n + 2] -= s;
        a[n + 3] -= s;
    }
}
