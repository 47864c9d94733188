/* expect: serial ORR2221 8:13 `return n;` */
/* the loop ends early */
long find(float *seen, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        seen[n] = 1;
        if (in[n] < 0)
            return n;
    }
    return -1;
}
