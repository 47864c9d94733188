/* expect: serial ORR2112 8:21 `A[m & 63]` */
/* m & 63 is never outside of 0 to 63: a check that it is would always fail */
static long A[128], B[128];

void fold(int m, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        A[m & 63] = A[m & 63] * 3 + B[i & 63];
}
