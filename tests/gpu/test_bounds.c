/*
 * The bound of a sum by tree beside the sum in order (docs/gpu.md, "Bounds"): never less than their
 * distance, for numbers that cancel as well; not so large that a wrong tree fits; and the tree is
 * near the exact sum, which long double knows.
 */
#include "runtime/orrery_device.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* One lane: nobody to exchange with. */
int orrery_host_lane(void) {
    return 0;
}

long orrery_host_warp(void) {
    return 0;
}

long orrery_host_warps(void) {
    return 1;
}

void orrery_host_exchange(const void *mine, void *theirs, unsigned long size, int lane,
                          const char *what) {
    (void)mine, (void)theirs, (void)size, (void)lane, (void)what;
}

unsigned orrery_host_load(const unsigned *flag) {
    return *flag;
}

void orrery_host_store(unsigned *flag, unsigned value) {
    *flag = value;
}

void orrery_host_pause(void) {
}

static unsigned long state = 1;

static double draw(void) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(state >> 11) * 0x1p-53;
}

/* Sizes over 40 powers of two; every second one takes most of the one before away. */
static void fill(float *x, long n, bool cancel) {
    for (long i = 0; i < n; ++i)
        x[i] = cancel && i % 2 ? -x[i - 1] * (float)(1 - draw() * 1e-3)
                               : (float)ldexp(draw() - .5, (int)(draw() * 40));
}

static float in_order(float start, const float *x, long n) {
    for (long i = 0; i < n; ++i)
        start += x[i];
    return start;
}

static float by_tree(float start, const float *x, long n) {
    float part[ORRERY_LANES], next[ORRERY_LANES];
    for (int l = 0; l < ORRERY_LANES; ++l) {
        part[l] = -0.0f;
        for (long i = l; i < n; i += ORRERY_LANES)
            part[l] += x[i];
    }
    for (int apart = ORRERY_LANES / 2; apart > 0; apart /= 2) {
        for (int l = 0; l < ORRERY_LANES; ++l)
            next[l] = part[l] + part[l ^ apart];
        for (int l = 0; l < ORRERY_LANES; ++l)
            part[l] = next[l];
    }
    return start + part[0];
}

static double size_of(float start, const float *x, long n) {
    double size = fabs((double)start);
    for (long i = 0; i < n; ++i)
        size += fabs((double)x[i]);
    return size;
}

static long double exact(float start, const float *x, long n) {
    long double sum = start;
    for (long i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

static int fail(const char *what, long n) {
    fprintf(stderr, "test_bounds: %s, n = %ld\n", what, n);
    return 1;
}

static int check(float *x, long n, bool cancel) {
    struct orrery_kernel_sums sums = {0, 0, 0};
    fill(x, n, cancel);
    float start = (float)(draw() * 100), a = in_order(start, x, n), b = by_tree(start, x, n);
    double size = size_of(start, x, n);
    double bound = orrery_sum_bound(size, n, ORRERY_UNIT_f32, ORRERY_LEAST_f32);
    double rows = (double)((n + ORRERY_LANES - 1) / ORRERY_LANES);
    orrery_sums_hold(&sums, a, b, bound);
    if (sums.count != 1 || sums.broken)
        return fail("a right tree is outside of the bound", n);
    if (fabsl(exact(start, x, n) - b) > orrery_gamma(rows + 6, ORRERY_UNIT_f32) * size * 1.000001)
        return fail("the tree is further from the exact sum than its part of the bound", n);
    if (bound > (double)(2 * n + 24) * 0x1p-24 * size * 1.01)
        return fail("the bound is larger than it was derived", n);
    orrery_sums_hold(&sums, a, b + (float)(3 * bound), bound);
    if (sums.count != 2 || sums.broken != 1)
        return fail("a wrong tree is inside of the bound", n);
    return 0;
}

/* A lane that is left out shows where its numbers weigh more than roundings. */
static int check_lost(float *x) {
    struct orrery_kernel_sums sums = {0, 0, 0};
    enum { N = 320 };
    for (long i = 0; i < N; ++i)
        x[i] = (float)(1 + draw());
    float a = in_order(0, x, N);
    x[7] = x[39] = 0;
    orrery_sums_hold(&sums, a, by_tree(0, x, N),
                     orrery_sum_bound(a, N, ORRERY_UNIT_f32, ORRERY_LEAST_f32));
    return sums.broken == 1 ? 0 : fail("two numbers are lost and nobody sees it", N);
}

int main(void) {
    static const long counts[] = {0, 1, 2, 31, 32, 33, 64, 100, 1000, 4097};
    float *x = malloc(5000 * sizeof *x);
    int wrong = check_lost(x);
    for (int round = 0; round < 200 && !wrong; ++round)
        for (size_t c = 0; c < sizeof counts / sizeof *counts && !wrong; ++c)
            wrong = check(x, counts[c], round % 2);
    struct orrery_kernel_sums sums = {0, 0, 0};
    orrery_sums_hold(&sums, INFINITY, INFINITY, INFINITY);
    orrery_sums_hold(&sums, NAN, 1, NAN);
    if (!wrong && sums.count)
        wrong = fail("what is not finite is counted", 0);
    free(x);
    return wrong;
}
