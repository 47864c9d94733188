/* expect: serial ORR2105 7:31 `W[u[n] * K + k]` */
/* the last element of a row is the first of the next */
void rows(float *W, const int *u, long count, int K) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int k = 0; k <= K; ++k)
            W[u[n] * K + k] = W[u[n] * K + k] * .5f + k;
}
