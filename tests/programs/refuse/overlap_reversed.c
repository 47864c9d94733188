/* expect: serial ORR2112 6:16 `a[count - 1 - n]` */
/* an array read from its other end */
void mirror(float *a, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        a[n] = a[count - 1 - n] + 1;
}
