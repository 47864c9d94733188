/* expect: ORR2463 6 */
/* the host's addresses in a local array mean nothing to the device */
double total(long n, double *restrict a, double *restrict b, const int *restrict which) {
    double *ends[2] = {a, b}, sum = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        sum += *ends[which[i] & 1];
    return sum;
}
