/* expect: serial ORR2214 6:18 `activate(` */
/* what it calls is not known */
void apply(float *out, const float *in, long count, float (*activate)(float)) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = activate(in[n]);
}
