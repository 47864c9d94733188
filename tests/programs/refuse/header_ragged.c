/* expect: serial ORR2240 5:33 `p += length[i]` */
void clear(float *a, const int *length, int n) {
    float *p = a;
#pragma orrery parallel
    for (int i = 0; i < n; ++i, p += length[i])
        p[0] = 0;
}
