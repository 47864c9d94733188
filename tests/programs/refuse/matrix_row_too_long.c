/* expect: serial ORR2105 10:20 `p[k]` */
/* a pointer to a row runs on into the next row */
static float M[1000][16];

void pass(long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *p = &M[n][0];
        for (int k = 0; k < 20; ++k)
            p[k] = p[k] * .5f + 1;
    }
}
