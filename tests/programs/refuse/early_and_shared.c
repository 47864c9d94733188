/* expect: serial ORR2112 7:13 `b[0]` */
/* no wavefront and no pipeline could be made of so little: what conflicts is named */
void shared(float *restrict b, float *restrict c, const int *restrict kind, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (kind[i] == 2) {
            b[0] = 1;
            continue;
        }
        c[i] = 1;
    }
}
