/* LINE, second order: vertex and context tables, edge (u, v), negatives by arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
enum { D = 16, NEG = 3 };
static void train(float (*restrict vec)[D], float (*restrict ctx)[D], const int *src,
                  const int *dst, const int *neg, long n, float rate) {
#pragma orrery parallel unordered
    for (long e = 0; e < n; ++e) {
        float err[D] = {0};
        float *u = vec[src[e]];
        for (int s = 0; s < NEG + 1; ++s) {
            int target = s == 0 ? dst[e] : neg[e * NEG + s - 1];
            float *v = ctx[target], x = 0;
            for (int k = 0; k < D; ++k)
                x += u[k] * v[k];
            float g = ((s == 0) - 1 / (1 + expf(-x))) * rate;
            for (int k = 0; k < D; ++k)
                err[k] += g * v[k];
            for (int k = 0; k < D; ++k)
                v[k] += g * u[k];
        }
        for (int k = 0; k < D; ++k)
            u[k] += err[k];
    }
}
int main(void) {
    unsigned long s = 1;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    long n = 3000, points = 1500;
    int *src = malloc(n * sizeof *src), *dst = malloc(n * sizeof *dst),
        *neg = malloc(n * NEG * sizeof *neg);
    float(*vec)[D] = malloc(points * sizeof *vec), (*ctx)[D] = calloc(points, sizeof *ctx);
    for (long i = 0; i < points; ++i)
        for (int k = 0; k < D; ++k)
            vec[i][k] = NEXT % 1000 / 1000.f - .5f;
    for (long i = 0; i < n; ++i)
        src[i] = NEXT % points, dst[i] = NEXT % points;
    for (long i = 0; i < n * NEG; ++i)
        neg[i] = NEXT % points;
    for (int t = 0; t < 2; ++t)
        train(vec, ctx, src, dst, neg, n, .05f);
    printf("%lx %lx\n", digest(vec, points * sizeof *vec), digest(ctx, points * sizeof *ctx));
}
