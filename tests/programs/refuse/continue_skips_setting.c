/* expect: serial ORR2201 10:16 `t` */
/* four rounds for sure, but any of them may go on before it sets t */
void kept(float *restrict a, const int *restrict u, float t, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        for (int j = 0; j < 4; ++j) {
            if (u[j] == i) continue;
            t = (float)u[j];
        }
        a[i] = t;
    }
}
