/*
 * k-means of generated points: sums into arrays, a copy per row of the grid.
 * usage: bench_kmeans POINTS PASSES [COPY_GB_PER_S]
 */
#include "generate.h"

enum { D = 32, K = 64 };

static float squared_distance(const float *a, const float *b) {
    float sum = 0;
    for (int j = 0; j < D; ++j)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static double pass(const float *x, long count, const float *centroid, int *assign, long *members,
                   double *sum) {
    double inertia = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i) {
        int best = 0;
        float least = INFINITY;
        for (int c = 0; c < K; ++c) {
            float d = squared_distance(x + i * D, centroid + (long)c * D);
            if (d < least) {
                least = d;
                best = c;
            }
        }
        assign[i] = best;
        members[best]++;
        for (int j = 0; j < D; ++j)
            sum[best * D + j] += x[i * D + j];
        inertia += least;
    }
    return inertia;
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 20000;
    int passes = argc > 2 ? atoi(argv[2]) : 1;
    double copy = argc > 3 ? atof(argv[3]) : 0, best = INFINITY;
    double arithmetic = argc > 4 ? atof(argv[4]) : 0;
    float *x = make((size_t)count * D, sizeof *x),
          *centroid = make((size_t)K * D, sizeof *centroid);
    int *assign = make((size_t)count, sizeof *assign);
    for (long i = 0; i < count * D; ++i)
        x[i] = (float)uniform((uint64_t)i) + (float)(i / D % K) * .1f;
    for (long i = 0; i < K * D; ++i)
        centroid[i] = x[i * 7 % (count * D)];
    for (int p = 0; p < passes; ++p) {
        long *members = make(K, sizeof *members);
        double *sum = make((size_t)K * D, sizeof *sum), start = now();
        double inertia = pass(x, count, centroid, assign, members, sum), seconds = now() - start;
        best = seconds < best ? seconds : best;
        printf("kmeans round %d inertia %.6e seconds %.4f\n", p + 1, inertia, seconds);
        for (int c = 0; c < K; ++c)
            for (int j = 0; j < D && members[c]; ++j)
                centroid[c * D + j] = (float)(sum[c * D + j] / (double)members[c]);
        free(members), free(sum);
    }
    /* A difference, a square and a sum for each cluster and dimension. */
    double flops = (double)count * K * D * 3 / best / 1e9;
    char name[96];
    snprintf(name, sizeof name, "kmeans clusters 64 Gflop/s %.1f share of arithmetic %.2f", flops,
             arithmetic > 0 ? flops / arithmetic : 0);
    report(name, "points", (double)count, best, (double)count * (D * 4.0 + 8), copy);
    free(x), free(centroid), free(assign);
    return 0;
}
