/* expect: serial ORR2105 7:28 `a[i * K + k]` */
/* the last element of a row is the first of the next */
void rows(float *a, long count, int K) {
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i)
        for (int k = 0; k <= K; ++k)
            a[i * K + k] = a[i * K + k] * .5f + i;
}
