/* expect: serial ORR2201 7:13 `x * a` */
/* each x is made of the one before */
float smooth(const float *in, long count, float a) {
    float x = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        x = x * a + in[n];
    return x;
}
