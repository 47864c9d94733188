/* expect: serial ORR2112 8:16 `A[(unsigned long)(4 - 8) % 61]` */
/* what is left of 2^64 - 4, not of -4 */
static long A[128];

void fill(void) {
#pragma orrery parallel
    for (int i = 0; i < 128; ++i)
        A[i] = A[(unsigned long)(4 - 8) % 61] + 1;
}
