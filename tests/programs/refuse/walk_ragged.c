/* expect: serial ORR2201 8:15 `at++` */
/* rows of a triangle, one behind the other: where row i begins is no multiple of i */
void fill(int *a, int n) {
    int at = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[at++] = i;
}
