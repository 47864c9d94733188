/* expect: serial ORR2205 10:9 `q[i]` */
/* another pointer changes q, and the loop inside ends there */
static float a[1000];
void move(long n, int K, const int *restrict u) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *q = a, **at = &q;
        for (int j = 0; j < K; ++j)
            if (u[j] > 3) { *at = a + 1; break; }
        q[i] = a[i] + 1;
    }
}
