/* expect: serial ORR2105 15:9 `a[i + x]` */
/* where x changes, the rest of the round is left out */
static void set(int *place, int to) {
    *place = to;
}
void move(long n, int K, float *restrict a, const int *restrict u) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int x = 0, k = 0;
        while (k < K) {
            ++k;
            if (u[k] == i) { set(&x, u[i]); continue; }
        }

        a[i + x] = a[i] + 1;
    }
}
