/* expect: serial ORR2201 9:9 `x *= ` */
/* says: would be a reduction (the sum at line 8) but for this: it is a product here */
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
