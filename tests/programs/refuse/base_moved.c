/* expect: serial ORR2110 6:19 `W[u[n]]` */
/* the base itself moves: rows of different iterations lie in each other's reach */
void pass(float *W, const int *u, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        W[u[n]] = W[u[n]] * .5f + 1;
        W += 3;
    }
}
