/* expect: serial ORR2112 8:21 `a[k]` */
/* a[k] is apart from all a[i] where k is below 0 or beyond n: never, as the loop around says */
void sweep(int n, double *restrict a) {
    for (int k = 0; k < n; ++k) {
        double scale = k + 1;
#pragma orrery parallel
        for (int i = 0; i < n; ++i)
            a[i] += a[k] * scale;
    }
}
