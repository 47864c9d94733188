/* expect: serial ORR???? 0:0 `--count;` */
/* the body moves the loop's end */
void trim(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = in[n];
        if (in[n] < 0)
            --count;
    }
}
