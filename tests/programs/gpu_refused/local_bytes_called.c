/* expect: ORR2462 3 */
/* a function that the loop calls has the array */
static float smooth(float y, long i) {
    float last[20000];
    for (int j = 0; j < 20000; ++j)
        last[j] = y * j;
    return last[i % 20000];
}
void all(float *restrict x, const float *restrict y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] = smooth(y[i], i);
}
