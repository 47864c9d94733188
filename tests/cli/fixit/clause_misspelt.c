/* ORR9102 */
void scale(float *a, long n) {
#pragma orrery parallel unordred
    for (long i = 0; i < n; ++i)
        a[i] *= 2;
}
