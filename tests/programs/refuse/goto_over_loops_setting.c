/* expect: serial ORR2201 12:16 `t` */
/* the goto leaves both loops inside in front of where t is set */
void kept(float *restrict a, const int *restrict u, float t, long n, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k)
                if (u[j] > k * K)
                    goto found;
        t = 1;
    found:
        a[i] = t;
    }
}
