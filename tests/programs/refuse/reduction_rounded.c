/* expect: serial ORR2201 8:9 `sum += ` */
/* says: `sum` is an integer that is made of floating-point numbers */
/* every addition rounds, so the order counts */
long rounded(const float *x, long count) {
    long sum = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        sum += x[n];
    return sum;
}
