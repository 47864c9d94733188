/* expect: parallel independent unordered */
/* private: t */
/* guards: some */
/* a called function names the scratch space of the body */
static float t[16];

static float norm(void) {
    float s = 0;
    for (int k = 0; k < 16; ++k)
        s += t[k] * t[k];
    return s;
}

void scratch(float *out, const float *a, long rows) {
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n) {
        for (int k = 0; k < 16; ++k)
            t[k] = a[n * 16 + k];
        out[n] = norm();
    }
}
