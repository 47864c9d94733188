/* ORR9104 */
void scale(float *a, float *b, long n) {
#pragma orrery parallel assume(noalas(a, b))
    for (long i = 0; i < n; ++i)
        a[i] = b[i];
}
