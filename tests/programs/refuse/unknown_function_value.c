/* expect: serial ORR2213 8:18 `magic(` */
/* even one that takes and returns numbers */
float magic(float value);

void pass(float *out, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = magic(v[n]);
}
