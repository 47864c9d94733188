/* expect: serial ORR2201 9:18 `s;` */
/* says: `s` is a running sum that every iteration reads here */
/* what each iteration stores is the sum so far */
void running(float *out, const float *x, long count) {
    float s = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        s += x[n];
        out[n] = s;
    }
}
