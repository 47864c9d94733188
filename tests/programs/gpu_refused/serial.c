/* expect: ORR2104 6 */
void smooth(float *x, long n) {
    /* A loop that has to run on a GPU and cannot be parallel is an error, not a warning. */
#pragma orrery parallel
    for (long i = 1; i < n; ++i)
        x[i] = x[i - 1] * .5f + x[i];
}
