/* A running sum: no tool may run its iterations in parallel as they are. */
void kernel(float *out, long n) {
    for (long i = 1; i < n; ++i)
        out[i] += out[i - 1];
}
