/* expect: parallel independent ordered
 * carried: none
 */
void rotate(float *x, long pairs) {
    float *end = x + 2 * pairs;
#pragma orrery parallel
    while (x < end) {
        float t = x[0];
        x[0] = -x[1];
        x[1] = t;
        x += 2;
    }
}
