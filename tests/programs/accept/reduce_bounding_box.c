/* expect: parallel reduction ordered
 * reductions: min box[0], max box[1], + box[2]
 */
void bounds(const double *x, long count, double box[3]) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        if (x[n] < box[0])
            box[0] = x[n];
        if (x[n] > box[1])
            box[1] = x[n];
        box[2] += x[n];
    }
}
