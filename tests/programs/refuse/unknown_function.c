/* expect: serial ORR2213 8:9 `update(` */
/* nobody knows what it touches */
void update(float *row, float value);

void pass(float *W, const int *u, const float *v, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        update(W + (long)u[n] * K, v[n]);
}
