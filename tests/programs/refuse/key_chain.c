/* expect: serial ORR2105 8:20 `W[i]` */
/* the rows of an iteration are found by following links */
void pass(float *W, const int *u, const int *next, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        int i = u[n];
        do {
            W[i] = W[i] * .5f + 1;
            i = next[i];
        } while (i >= 0);
    }
}
