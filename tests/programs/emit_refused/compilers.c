/* ORR2314 */
static float total;

static float step(float x) {
#ifdef __clang__
    return x;
#else
    return x + total++;
#endif
}

void steps(float *restrict a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = step(a[i]);
}
