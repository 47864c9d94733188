/* expect: serial ORR2105 9:9 `h[*(unsigned char *)&j]` */
/* The low byte of a local number is not the number. */
void fill(long *restrict h, int n);

void fill(long *restrict h, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        int j = i;
        h[*(unsigned char *)&j] += h[0] * 3;
    }
}
