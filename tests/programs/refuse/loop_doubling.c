/* expect: serial ORR2223 5:5 `for (` */
/* the variable does not move by a fixed step */
void powers(float *a, long count) {
#pragma orrery parallel unordered
    for (long n = 1; n < count; n *= 2)
        a[n] = n;
}
