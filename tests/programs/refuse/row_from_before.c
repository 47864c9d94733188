/* expect: serial ORR2105 7:31 `W[u[n] * K + k]` */
/* k begins at -1: the last element of the row before */
void pass(float *W, const int *u, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int k = -1; k < K - 1; ++k)
            W[u[n] * K + k] = W[u[n] * K + k] * .5f + 1;
}
