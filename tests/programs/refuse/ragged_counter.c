/* expect: serial ORR2201 9:20 `at` */
/* says: where a row begins depends on the lengths of those before it */
void totals(float *out, const float *x, const int *length, long n) {
    long at = 0;
#pragma orrery parallel
    for (long i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < length[i]; k++, at++)
            s += x[at];
        out[i] = s;
    }
}
