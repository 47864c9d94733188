/* expect: serial ORR2201 9:19 `p` */
/* says: where a row begins depends on the lengths of those before it */
void totals(float *out, const float *x, const int *length, long n) {
    const float *p = x;
#pragma orrery parallel
    for (long i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < length[i]; k++)
            s += *p++;
        out[i] = s;
    }
}
