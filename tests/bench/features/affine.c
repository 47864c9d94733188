/* Every element on its own. */
void kernel(float *restrict out, const float *restrict in, long n) {
    for (long i = 0; i < n; ++i)
        out[i] = 2 * in[i] + 1;
}
