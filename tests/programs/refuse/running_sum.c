/* expect: serial ORR2275 9:18 `s;` */
/* says: a prefix scan, which stays serial: `s` is the running sum (line 8) */
/* what each iteration stores is the sum so far */
void running(float *out, const float *x, long count) {
    float s = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        s += x[n];
        out[n] = s;
    }
}
