/* What the benchmarks share: numbers that follow from a counter,
 * the clock, the line of the table. */
#ifndef GENERATE_H
#define GENERATE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static double uniform(uint64_t n) {
    return (double)(mix(n + 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

/* Ranks with a density that falls with the square root; the names of the ranks are mixed. */
static inline int draw(uint64_t n, int count) {
    double u = uniform(n);
    return (int)((uint64_t)(u * u * count) * 7919 % (uint64_t)count);
}

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *make(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "no memory for %zu elements\n", count);
        exit(2);
    }
    return memory;
}

/* `bytes`: that a pass has to move if nothing is kept in a cache;
 * `copy`: what a copy does, GB/s. */
static inline void report(const char *name, const char *what, double count, double seconds,
                          double bytes, double copy) {
    printf("bench %s seconds %.4f %s/s %.4g GB/s %.1f", name, seconds, what, count / seconds,
           bytes / seconds / 1e9);
    if (copy > 0)
        printf(" share %.2f", bytes / seconds / 1e9 / copy);
    printf("\n");
}

#endif
