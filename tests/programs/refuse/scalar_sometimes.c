/* expect: serial ORR2201 9:26 `scale;` */
/* set in some iterations, read in all */
void rescale(float *out, const float *in, long count) {
    float scale = 1;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (in[n] > 10)
            scale = in[n];
        out[n] = in[n] * scale;
    }
}
