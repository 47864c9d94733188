/* ORR9108 */
void scale(float *a, long n) {
#pragma orrery parallel unordered grid(2, 2) unordered
    for (long i = 0; i < n; ++i)
        a[i] *= 2;
}
