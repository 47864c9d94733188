/* expect: parallel reduction unordered
 * reductions: + moved, + count, + sum, + inertia
 * carried: none
 */
double assign_rows(const float *x, long rows, int D, const float *centroid, int K, int *assign,
                   long *count, double *sum) {
    double inertia = 0;
    long moved = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < rows; ++i) {
        int best = 0;
        float least = 1e30f;
        for (int c = 0; c < K; ++c) {
            float d = 0;
            for (int j = 0; j < D; ++j) {
                float t = x[i * D + j] - centroid[c * D + j];
                d += t * t;
            }
            if (d < least) {
                least = d;
                best = c;
            }
        }
        moved += assign[i] != best;
        assign[i] = best;
        count[best]++;
        for (int j = 0; j < D; ++j)
            sum[best * D + j] += x[i * D + j];
        inertia += least;
    }
    return inertia + moved;
}
