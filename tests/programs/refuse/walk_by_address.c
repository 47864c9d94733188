/* expect: serial ORR2201 8:11 `at` */
/* something else may set the index */
void fill(int *a, int n, int **seen) {
    int at = 0;
    *seen = &at;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[at] = i;
        at++;
    }
}
