/* expect: parallel reduction unordered
 * reductions: + sum, + squares
 */
void moments(const float *x, long count, double *mean, double *square) {
    double sum = 0, squares = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        sum += x[n];
        squares += x[n] * x[n];
    }
    *mean = sum / count;
    *square = squares / count;
}
