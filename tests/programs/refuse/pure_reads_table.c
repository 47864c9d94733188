/* expect: serial ORR2213 9:19 `peek(` */
/* a pure function may read what the loop writes */
float W[1000];
float peek(long n) __attribute__((pure));

void pass(const int *u, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        W[u[n]] = peek(n);
}
