/* expect: serial ORR2234 8:13 `t[k]` */
/* another pointer leads into the scratch array */
void scratch(float *out, const float *a, int where, long rows) {
    float t[16] = {0}, *p = t + where;
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n) {
        for (int k = 0; k < 16; ++k)
            t[k] = a[n * 16 + k];
        out[n] = t[3] + *p;
    }
}
