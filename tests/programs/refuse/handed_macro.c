/* expect: serial ORR2233 17:13 `t[k]` */
/* the function names the scratch space through a macro, where no other name can stand */
static float t[16];
#define T(k) t[k]

static float norm(void) {
    float s = 0;
    for (int k = 0; k < 16; ++k)
        s += T(k) * T(k);
    return s;
}

void scratch(float *restrict out, const float *restrict a, long rows) {
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n) {
        for (int k = 0; k < 16; ++k)
            t[k] = a[n * 16 + k];
        out[n] = norm();
    }
}
