/* expect: serial ORR2110 6:29 `W[u[n] + 1]` */
/* the next row belongs to another key */
void spread(float *W, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float d = W[u[n]] - W[u[n] + 1];
        W[u[n]] -= v[n] * d;
    }
}
