/* expect: serial ORR???? 0:0 `magic(` */
/* even one that takes and returns numbers */
float magic(float value);

void pass(float *out, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = magic(v[n]);
}
