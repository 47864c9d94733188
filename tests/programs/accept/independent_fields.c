/* expect: parallel independent ordered
 * carried: none
 */
struct point {
    float x, y;
};

void shift(struct point *p, long count) {
#pragma orrery parallel
    for (long n = 0; n < count - 1; ++n)
        p[n].x = p[n + 1].y;
}
