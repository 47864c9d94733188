/* expect: serial ORR2105 11:9 `a[i + x]` */
/* a function finds the place and goes on looking */
static void find(const int *t, int K, int *place) {
    for (int j = 0; j < K; ++j) if (t[j] == 7) { *place = t[j + 1]; continue; }
}
void move(long n, int K, float *restrict a, const int *restrict u) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int x = 0;
        find(u, K, &x);
        a[i + x] = a[i] + 1;
    }
}
