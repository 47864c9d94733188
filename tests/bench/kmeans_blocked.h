/*
 * A round of k-means as one writes it by hand for speed: |x|^2 - 2 x.c + |c|^2, eight rows by sixteen
 * centroids in registers, centroids transposed, sums per thread. For at most 256 columns. Stands in
 * samples/kmeans in place of the loop (tests/bench/peers.sh).
 */
#ifndef KMEANS_BLOCKED_H
#define KMEANS_BLOCKED_H

#include <float.h>

enum { BLOCK_ROWS = 8, BLOCK_LANES = 16 };
typedef float blocked_lanes __attribute__((vector_size(4 * BLOCK_LANES), aligned(4), may_alias));

/* Products of eight rows with sixteen centroids. */
static void blocked_products(const float *x, int D, const blocked_lanes *c, long pitch,
                             blocked_lanes *out) {
    blocked_lanes sum[BLOCK_ROWS] = {{0}};
    for (int j = 0; j < D; ++j) {
        blocked_lanes lanes = c[j * pitch];
#pragma GCC unroll 8
        for (int r = 0; r < BLOCK_ROWS; ++r)
            sum[r] += lanes * x[r * D + j];
    }
#pragma GCC unroll 8
    for (int r = 0; r < BLOCK_ROWS; ++r)
        out[r] = sum[r];
}

static double blocked_rows(const float *x, long rows, int D, int K, const float *transposed,
                           const float *square, int *assign, long *moved, long *count,
                           double *sum) {
    long pitch = (K + BLOCK_LANES - 1) / BLOCK_LANES;
    double inertia = 0;
    for (long i = 0; i < rows; i += BLOCK_ROWS) {
        long n = rows - i < BLOCK_ROWS ? rows - i : BLOCK_ROWS;
        float tail[BLOCK_ROWS * 256], own[BLOCK_ROWS];
        const float *at = x + i * D;
        if (n < BLOCK_ROWS) {
            memset(tail, 0, sizeof tail);
            memcpy(tail, at, (size_t)(n * D) * sizeof *tail);
            at = tail;
        }
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            own[r] = 0;
            for (int j = 0; j < D; ++j)
                own[r] += at[r * D + j] * at[r * D + j];
        }
        blocked_lanes least[BLOCK_ROWS];
        typedef int blocked_ints __attribute__((vector_size(4 * BLOCK_LANES)));
        blocked_ints best[BLOCK_ROWS];
        for (int r = 0; r < BLOCK_ROWS; ++r)
            least[r] = (blocked_lanes){0} + FLT_MAX, best[r] = (blocked_ints){0};
        for (long c = 0; c < pitch; ++c) {
            blocked_lanes product[BLOCK_ROWS];
            blocked_products(at, D, (const blocked_lanes *)transposed + c, pitch, product);
            blocked_lanes squares = *(const blocked_lanes *)(square + c * BLOCK_LANES);
            for (int r = 0; r < BLOCK_ROWS; ++r) {
                blocked_lanes d = squares - 2 * product[r];
                blocked_ints less = d < least[r];
                least[r] =
                    (blocked_lanes)(((blocked_ints)d & less) | ((blocked_ints)least[r] & ~less));
                best[r] = (((blocked_ints){0} + (int)c) & less) | (best[r] & ~less);
            }
        }
        for (long r = 0; r < n; ++r) {
            int to = 0;
            float low = FLT_MAX;
            for (int l = 0; l < BLOCK_LANES; ++l) {
                int here = best[r][l] * BLOCK_LANES + l;
                if (least[r][l] < low || (least[r][l] == low && here < to)) {
                    low = least[r][l];
                    to = here;
                }
            }
            *moved += assign[i + r] != to;
            assign[i + r] = to;
            count[to]++;
            for (int j = 0; j < D; ++j)
                sum[to * D + j] += at[r * D + j];
            inertia += low + own[r];
        }
    }
    return inertia;
}

static double blocked_round(const float *x, long rows, int D, int K, const float *centroid,
                            int *assign, long *moved, long *count, double *sum) {
    int wide = (K + BLOCK_LANES - 1) / BLOCK_LANES * BLOCK_LANES;
    float *transposed = calloc((size_t)wide * (size_t)D, sizeof *transposed);
    float *square = malloc((size_t)wide * sizeof *square);
    double inertia = 0;
    long move = 0;
    for (int c = 0; c < wide; ++c) {
        square[c] = c < K ? 0 : FLT_MAX;
        for (int j = 0; j < D && c < K; ++j) {
            transposed[j * wide + c] = centroid[(long)c * D + j];
            square[c] += centroid[(long)c * D + j] * centroid[(long)c * D + j];
        }
    }
#pragma omp parallel for schedule(static) reduction(+ : inertia, move, count[ : K], sum[ : K * D])
    for (long part = 0; part < 64; ++part) {
        long from = rows * part / 64, to = rows * (part + 1) / 64;
        inertia += blocked_rows(x + from * D, to - from, D, K, transposed, square, assign + from,
                                &move, count, sum);
    }
    *moved += move;
    free(transposed);
    free(square);
    return inertia;
}

#endif
