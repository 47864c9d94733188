/* expect: serial ORR???? 0:0 `sum[0]` */
/* an array that is summed into by key and read by place */
void count_up(float *sum, float *out, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        sum[u[n]] += v[n];
        out[n] = sum[0];
    }
}
