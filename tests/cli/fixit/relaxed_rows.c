/* ORR2111 */
/* every iteration trains many weights, chosen by data */
float pass(const long *begin, const int *feature, float *restrict w, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            w[feature[p]] += .1f - w[feature[p]];
    return w[0];
}
