/* expect: serial ORR2105 12:9 `a[i + x]` */
/* two loops inside are left where x has changed */
static void set(int *place, int to) {
    *place = to;
}
void move(long n, int K, float *restrict a, const int *restrict u) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int x = 0;
        for (int j = 0; j < K; ++j)
            for (int k = 0; k < K; ++k) if (u[j] > k) { set(&x, u[i]); goto found; }
found:  a[i + x] = a[i] + 1;
    }
}
