/* expect: serial ORR2204 8:13 `W[at[n] * K + k]` */
/* what chooses the row is known only inside of the iteration: nothing can see whether it wraps */
void pass(float *W, unsigned *at, const unsigned *u, unsigned K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        at[n] = u[n];
        for (unsigned k = 0; k < K; ++k)
            W[at[n] * K + k] = W[at[n] * K + k] * .5f + 1;
    }
}
