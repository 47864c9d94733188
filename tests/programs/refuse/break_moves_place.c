/* expect: serial ORR2105 13:9 `a[i + x]` */
/* the loop inside ends where it has changed x */
static void set(int *place, int to) {
    *place = to;
}
void move(long n, int K, float *restrict a, const int *restrict u) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int x = 0;
        for (int j = 0; j < K; ++j)
            if (u[j] > 3) { set(&x, u[i]); break; }

        a[i + x] = a[i] + 1;
    }
}
