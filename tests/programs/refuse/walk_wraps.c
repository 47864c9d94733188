/* expect: serial ORR2201 7:11 `at` */
/* 32 bits without a sign wrap around */
void fill(int *a, int n) {
    unsigned at = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[at] = i;
        at += 3;
    }
}
