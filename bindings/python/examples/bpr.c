/* Bayesian personalized ranking by stochastic gradient ascent (Rendle and others, UAI 2009). */
#include "orrery.h"

#include <math.h>

#ifndef K
#define K 64 /* factors */
#endif

/* Is it in item[low] to item[high - 1], rising? Without a branch that nobody can foresee. */
static int has(const int *item, int low, int high, int wanted) {
    int n = high - low;
    while (n > 1) {
        int half = n / 2;
        low += item[low + half] <= wanted ? half : 0;
        n -= half;
    }
    return n > 0 && item[low] == wanted;
}

/*
 * Draws n samples, of fewer than 2^32 entries: a random entry (user, item), and the item of another random entry; where the user
 * has that too, -1. Entries of user u are item[begin[u]] to item[begin[u + 1] - 1], rising.
 */
void draw(const int *begin, const int *entry_user, const int *item, long entries, long n,
          unsigned long seed, int *user, int *liked, int *other) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        unsigned long draw = orrery_random(seed, (unsigned long)i), size = (unsigned long)entries;
        unsigned long at = (draw >> 32) * size >> 32, to = (draw & 0xffffffff) * size >> 32;
        int u = entry_user[at];
        user[i] = u;
        liked[i] = item[at];
        other[i] = has(item, begin[u], begin[u + 1], item[to]) ? -1 : item[to];
    }
}

/* One step for each sample. Y[i][K] is an item's bias. */
void rank(const int *user, const int *liked, const int *other, long n, float (*X)[K],
          float (*Y)[K + 1], float rate, float lambda) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        if (other[i] >= 0) {
            float *x = X[user[i]], *y = Y[liked[i]], *z = Y[other[i]];
            float score = y[K] - z[K];
            for (int k = 0; k < K; ++k)
                score += x[k] * (y[k] - z[k]);
            float by = rate / (1 + expf(score)), keep = 1 - rate * lambda;
            for (int k = 0; k < K; ++k) {
                float a = x[k], b = y[k], c = z[k];
                x[k] = keep * a + by * (b - c);
                y[k] = keep * b + by * a;
                z[k] = keep * c - by * a;
            }
            y[K] = keep * y[K] + by;
            z[K] = keep * z[K] - by;
        }
}
