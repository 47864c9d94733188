/* expect: serial ORR2201 7:9 `x += ` */
/* a sum that is also scaled */
float mix(const float *v, long count) {
    float x = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        x += v[n];
        x *= .99f;
    }
    return x;
}
