/* expect: serial ORR2201 7:11 `at` */
/* the step of the step */
void fill(int *a, int n) {
    int at = 0, step = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[at] = i;
        at += step;
        step++;
    }
}
