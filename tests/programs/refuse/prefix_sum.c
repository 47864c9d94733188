/* expect: serial ORR2275 6:16 `s[n - 1]` */
/* each sum is made of the one before */
void prefix(float *s, const float *x, long count) {
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n)
        s[n] = s[n - 1] + x[n];
}
