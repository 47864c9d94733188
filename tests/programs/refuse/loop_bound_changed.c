/* expect: serial ORR2223 5:5 `for (` */
/* the body moves the loop's end */
void trim(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = in[n];
        if (in[n] < 0)
            --count;
    }
}
