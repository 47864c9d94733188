/* expect: serial ORR2201 8:17 `m` */
/* where an element goes depends on how many went before */
long keep(float *out, const float *in, long count) {
    long m = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        if (in[n] > 0)
            out[m++] = in[n];
    return m;
}
