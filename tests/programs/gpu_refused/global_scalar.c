/* expect: ORR2463 6 */
static float bias;
static float shifted(float x) {
    /* The body's own names are handed over; those of functions that it calls are not. */
    if (x > 0)
        return x + bias;
    return x;
}
void add(float *w, const float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        w[i] = shifted(x[i]);
}
void set(float to) {
    bias = to;
}
