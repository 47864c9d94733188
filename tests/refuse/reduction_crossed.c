/* expect: serial ORR2201 7:13 `x` */
/* two sums that feed each other */
void cross(const float *v, long count, float *out) {
    float x = 0, y = 1;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        x = x + y * v[n];
        y = y + x;
    }
    out[0] = x;
    out[1] = y;
}
