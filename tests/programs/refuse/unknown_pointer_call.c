/* expect: serial ORR2213 8:23 `lookup` */
/* a pointer that an unknown function returned */
float *lookup(long n) __attribute__((pure));

void fill(const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *slot = lookup(n);
        *slot = *slot * .5f + in[n];
    }
}
