/* ORR9105 */
void scale(float *a, long n) {
#pragma orrery paralel unordered
    for (long i = 0; i < n; ++i)
        a[i] *= 2;
}
