/* expect: serial ORR2201 7:14 `s` */
/* what is added depends on the sum so far */
float grow(const float *x, long count) {
    float s = 1;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        s += s * x[n];
    return s;
}
