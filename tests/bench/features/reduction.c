/* A sum of integers: exact in any order. */
long kernel(const int *in, long n) {
    long sum = 0;
    for (long i = 0; i < n; ++i)
        sum += in[i];
    return sum;
}
