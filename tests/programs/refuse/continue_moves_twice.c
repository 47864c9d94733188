/* expect: serial ORR2105 9:13 `*p` */
/* where the round goes on early, p has moved twice: up to eight elements in all */
void move(long n, float *restrict a, const int *restrict u) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *p = a + i * 4;
        for (int j = 0; j < 4; ++j, p++) {
            if (u[j]) { p++; continue; }
            *p = 1;
        }
    }
}
