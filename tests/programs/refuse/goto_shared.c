/* expect: serial ORR2112 9:9 `b[0]` */
/* what lies between a goto and its label happens in some iterations only, and conflicts all the same */
void shared(float *restrict b, float *restrict c, const int *restrict kind, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (kind[i] == 2) goto skip;
        goto store;
    skip:
        b[0] = 1;
    store:
        c[i] = 1;
    }
}
