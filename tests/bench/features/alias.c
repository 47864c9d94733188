/* Two pointers that may overlap. */
void kernel(float *out, const float *in, long n) {
    for (long i = 0; i < n; ++i)
        out[i] = in[i] + 1;
}
