/* expect: serial ORR2112 6:9 `sum[u[n]] += ` */
/* an array that is summed into by key and read by place */
void count_up(float *sum, float *out, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        sum[u[n]] += v[n];
        out[n] = sum[0];
    }
}
