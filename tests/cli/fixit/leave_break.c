/* ORR2220 */
long find(long count, const int *x, int wanted) {
    long first = -1;
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        if (x[n] == wanted) {
            first = n;
            break;
        }
    return first;
}
