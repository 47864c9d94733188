/* expect: serial ORR2201 10:15 `at++` */
/* a loop inside that may end early */
void fill(int *restrict a, const int *restrict c, int n, int k) {
    int at = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            if (c[j] < i)
                break;
            a[at++] = i;
        }
}
