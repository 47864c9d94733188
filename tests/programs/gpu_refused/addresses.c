/* expect: ORR2286 5 */
/* the device's address of a row means nothing to the host */
void rows_of(float *restrict a, float *restrict *restrict row, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        row[i] = &a[i * 8];
        a[i * 8] = 1;
    }
}
