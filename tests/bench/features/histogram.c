/* Counts of what the data says. */
void kernel(int *restrict counts, const unsigned char *restrict in, long n) {
    for (long i = 0; i < n; ++i)
        counts[in[i]]++;
}
