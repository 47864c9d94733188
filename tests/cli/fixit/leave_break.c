/* ORR2220 */
long find(long count, int *x, int wanted) {
    long first = -1;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        if (x[n] == wanted) {
            first = n;
            break;
        }
        x[n] = -x[n];
    }
    return first;
}
