/* ORR2113 */
int last(float *W, const int *u, long count) {
    int seen = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        seen = u[n];
        W[seen] = W[seen] * 0.5f + 1;
    }
    return seen;
}
