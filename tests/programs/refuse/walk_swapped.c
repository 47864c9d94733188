/* expect: serial ORR2108 8:16 `*p > 0` */
/* the pointer is led elsewhere on the way */
void total(float *out, const float *x, const float *y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; i++) {
        const float *p = x;
        float s = 0;
        while (*p > 0) {
            s += *p++;
            if (s > 3)
                p = y;
        }
        out[i] = s;
    }
}
