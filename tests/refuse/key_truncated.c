/* expect: serial ORR2103 6:19 `W[(unsigned char)u[n]]` */
/* the truncated id is another key */
void pass(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        W[u[n]] = W[(unsigned char)u[n]] * .5f + v[n];
}
