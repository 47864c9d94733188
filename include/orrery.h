/*
 * Marks loops for Orrery without a pragma, for those who build with -Wall -Werror (an unknown
 * pragma is a warning there). Without Orrery, and to the compiler, both are nothing. And random
 * numbers for parallel loops. Nothing here needs Orrery's libraries.
 *
 *     ORRERY_PARALLEL(unordered)
 *     for (long n = 0; n < nnz; ++n) ...
 *
 * ORRERY_PARALLEL takes the clauses of `#pragma orrery parallel` (docs/pragma.md), or none:
 * ORRERY_PARALLEL(). ORRERY_SERIAL leaves a loop alone. Both bind to the next `for` and cannot be
 * wrapped into another macro. __ORRERY__ is defined while Orrery reads a file.
 */
#ifndef ORRERY_H
#define ORRERY_H

#define ORRERY_PARALLEL(...)
#define ORRERY_SERIAL

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L

/*
 * Random numbers without a hidden state: the n-th 64 bits of the stream `seed`, any n in any order,
 * the same on every thread and rank. What to draw from in a parallel loop instead of rand(), with
 * the loop's variable (or its product with the draws per iteration) as n.
 *
 * Philox 4x32, 10 rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
 * 3", SC 2011; the numbers are those of Random123's philox4x32 (words 0 and 1; counter n, 0; key
 * seed).
 */
static inline unsigned long long orrery_random(unsigned long long seed, unsigned long long n) {
    unsigned long long c0 = n & 0xffffffffULL, c1 = n >> 32, c2 = 0, c3 = 0, p0, p1;
    unsigned long long k0 = seed & 0xffffffffULL, k1 = seed >> 32;
#define ORRERY_ROUND                                                                               \
    p0 = 0xD2511F53ULL * c0, p1 = 0xCD9E8D57ULL * c2;                                              \
    c0 = (p1 >> 32) ^ c1 ^ k0, c1 = p1 & 0xffffffffULL;                                            \
    c2 = (p0 >> 32) ^ c3 ^ k1, c3 = p0 & 0xffffffffULL;                                            \
    k0 = (k0 + 0x9E3779B9ULL) & 0xffffffffULL, k1 = (k1 + 0xBB67AE85ULL) & 0xffffffffULL;
    ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND
            ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND
#undef ORRERY_ROUND
        return c0 |
        c1 << 32;
}

/* The same, uniform in [0, 1): the upper 53 bits. */
static inline double orrery_uniform(unsigned long long seed, unsigned long long n) {
    return (double)(orrery_random(seed, n) >> 11) * (1.0 / 9007199254740992.0);
}

#endif

#endif
