/* expect: serial ORR2201 9:17 `x;` */
/* says: `x` is a running sum that every iteration reads here */
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
