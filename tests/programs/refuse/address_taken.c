/* expect: serial ORR2112 8:9 `*p =` */
/* the scalar has a second name */
void twice(float *out, const float *in, long count) {
    float t = 0, *p = &t;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = t;
        *p = in[n];
    }
}
