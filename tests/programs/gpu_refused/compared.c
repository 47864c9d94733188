/* expect: ORR2286 4 */
void move(float *restrict a, const float *end, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        if (a + i < end)
            a[i] += 1;
}
