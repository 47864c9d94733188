/* expect: serial ORR2222 9:13 `goto again;` */
/* a loop made of a goto */
void thrice(float *restrict c, const float *restrict d, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int j = 0;
    again:
        if (c[i] += d[j], ++j < 3)
            goto again;
    }
}
