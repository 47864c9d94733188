/* expect: ORR2466 4 */
void copy(float *to, const float *from, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        *to++ = from[i] * 2;
}
