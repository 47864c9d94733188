/* expect: serial ORR2110 6:42 `W[2 * u[n]]` */
/* row 2u of one iteration is row u of another */
void spread(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        W[u[n]] = W[u[n]] * .5f + v[n] * W[2 * u[n]];
}
