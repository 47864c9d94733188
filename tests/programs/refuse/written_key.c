/* expect: serial ORR2204 6:9 `W[u[n]]` */
/* the loop writes the array that its keys come from */
void walk(float *W, int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count - 1; ++n) {
        W[u[n]] = W[u[n]] * .5f + v[n];
        u[n + 1] = (u[n] * 7 + 1) % 100;
    }
}
