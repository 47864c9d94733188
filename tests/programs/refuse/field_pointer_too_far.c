/* expect: serial ORR2110 12:20 `p[k]` */
/* a pointer to a field runs on into the next struct */
struct cell {
    float x, y, z, w;
};

void pass(struct cell *S, const int *u, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *p = &S[u[n]].x;
        for (int k = 0; k < 6; ++k)
            p[k] = p[k] * .5f + 1;
    }
}
