/* expect: serial ORR2201 9:16 `t` */
/* where the goto is taken, t is that of an iteration before */
void kept(float *restrict c, const float *restrict d, const int *restrict kind, float t, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (kind[i] == 2) goto skip;
        t = d[i];
    skip:
        c[i] = t;
    }
}
