/* expect: serial ORR2105 7:13 `W[u[n] * K + k]` */
/* rows of length K and rows of length M of one array */
void pass(float *W, const int *u, int K, int M, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int k = 0; k < K && k < M; ++k)
            W[u[n] * K + k] = W[u[n] * M + k] * .5f + 1;
}
