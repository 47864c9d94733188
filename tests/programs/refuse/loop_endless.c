/* expect: serial ORR2223 6:5 `for (` */
/* no bound */
void fill(float *a) {
    long n = 0;
#pragma orrery parallel unordered
    for (;;) {
        if (n == 100)
            break;
        a[n++] = 1;
    }
}
