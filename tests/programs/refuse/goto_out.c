/* expect: serial ORR2222 8:13 `goto done;` */
/* the loop ends early */
void until(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = in[n];
        if (in[n] < 0)
            goto done;
    }
done:
    return;
}
