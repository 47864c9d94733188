/* expect: serial ORR2110 7:16 `W[i]` */
/* one variable, but another row the second time */
void pass(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        int i = u[n];
        W[i] = W[i] * .5f + v[n];
        i = i + 1;
        W[i] = W[i] * .25f;
    }
}
