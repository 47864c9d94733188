/* The least element and its place. */
long kernel(const float *in, long n) {
    float least = in[0];
    long where = 0;
    for (long i = 1; i < n; ++i)
        if (in[i] < least) {
            least = in[i];
            where = i;
        }
    return where;
}
