/* An array declared outside of the loop, filled by every iteration before it is read. */
void kernel(float *restrict out, const float *restrict in, long n) {
    float row[16];
    for (long i = 0; i < n; ++i) {
        for (int k = 0; k < 16; ++k)
            row[k] = in[i * 16 + k] * 2;
        float sum = 0;
        for (int k = 0; k < 16; ++k)
            sum += row[k];
        out[i] = sum;
    }
}
