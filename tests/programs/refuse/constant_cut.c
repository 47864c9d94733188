/* expect: serial ORR2104 9:16 `a[i - w]` */
/* an unsigned char keeps 1 of 257 */
void run(float *a, int n) {
    const unsigned char w = 257;
    if (n > 257)
        n = 257;
#pragma orrery parallel
    for (int i = 1; i < n; ++i)
        a[i] = a[i - w] * 0.5f;
}
