/* expect: serial ORR2201 6:32 `K` */
/* the row length moves while the loop runs */
void pass(float *W, const int *u, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        W[u[n] * K] = W[u[n] * K] * .5f + 1;
        if (u[n] == 7)
            K = K / 2;
    }
}
