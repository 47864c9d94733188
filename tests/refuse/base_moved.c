/* expect: serial ORR2205 6:9 `W` */
/* the base itself moves */
void pass(float *W, const int *u, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        W[u[n]] = W[u[n]] * .5f + 1;
        W += 3;
    }
}
