/* ORR3110 */
void scale(float *a, long n) {
#pragma orrery parallel target(gpu) unordered
    for (long i = 0; i < n; ++i)
        a[i] *= 2;
}
