/* expect: serial ORR2223 6:5 `while (i < n)` */
/* the body moves the bound, sometimes */
void fill(int *restrict a, const int *restrict c, int n) {
    int i = 0;
#pragma orrery parallel
    while (i < n) {
        a[i] = 1;
        i++;
        n -= c[i];
    }
}
