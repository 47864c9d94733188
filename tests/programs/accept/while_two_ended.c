/* expect: parallel independent ordered
 * carried: none
 */
void turn(float *a, int n) {
    int i = 0, j = n - 1;
#pragma orrery parallel
    while (i < j) {
        float t = a[i];
        a[i++] = a[j];
        a[j--] = t;
    }
}
