/* expect: serial ORR2112 6:16 `a[2 * i + 40]` */
/* only a short loop has no conflict: no guard is planned for that */
void f(double *restrict a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = a[2 * i + 40];
}
