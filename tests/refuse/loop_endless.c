/* expect: serial ORR???? 0:0 `for (` */
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
