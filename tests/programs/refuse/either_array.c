/* expect: serial ORR2205 7:9 `w[n + 1] =` */
/* one of two arrays, and each is shifted */
void pass(float *A, float *B, const int *which, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *w = which[n] ? A : B;
        w[n + 1] = w[n] * .5f;
    }
}
