/* expect: serial ORR2201 7:18 `last;` */
/* an iteration reads what the one before left in a scalar */
void shift(float *out, const float *in, long count) {
    float last = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = last;
        last = in[n];
    }
}
