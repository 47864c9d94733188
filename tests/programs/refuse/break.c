/* expect: serial ORR2220 7:13 `break;` */
/* which iterations run depends on the ones before */
void until(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (in[n] < 0)
            break;
        out[n] = in[n];
    }
}
