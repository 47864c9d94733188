/* expect: serial ORR2232 7:13 `t[0]` */
/* the caller may look at what is left, and not every iteration sets it */
void scratch(float *restrict t, float *restrict out, const float *a, long rows) {
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n) {
        if (a[n] > 0) {
            t[0] = a[n] * 2;
            out[n] = t[0] + 1;
        }
    }
}
