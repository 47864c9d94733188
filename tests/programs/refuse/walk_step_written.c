/* expect: serial ORR2201 7:11 `at` */
/* the loop writes what its index moves by */
void fill(int *restrict a, int *restrict step, int n) {
    int at = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[at] = i;
        at += step[0];
        step[0] = 2;
    }
}
