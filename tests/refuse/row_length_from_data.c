/* expect: serial ORR???? 0:0 `W[u[n] * K + k]` */
/* nothing says that a length in the data is at most K */
void pass(float *W, const int *u, const int *length, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int k = 0; k < length[n]; ++k)
            W[u[n] * K + k] = W[u[n] * K + k] * .5f + 1;
}
