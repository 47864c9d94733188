/* expect: serial ORR2223 6:5 `while (i < n)` */
/* how far an iteration moves depends on the data */
void fill(int *restrict a, const int *restrict c, int n) {
    int i = 0;
#pragma orrery parallel
    while (i < n) {
        if (c[i])
            i++;
        a[i] = 1;
        i++;
    }
}
