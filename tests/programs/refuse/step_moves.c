/* expect: serial ORR2223 5:5 `for (int i = 0; i < n; i += s)` */
/* the step changes */
void fill(int *a, int n, int s) {
#pragma orrery parallel
    for (int i = 0; i < n; i += s) {
        a[i] = 1;
        s++;
    }
}
