/* What the sum of several rows' changes of an element counts, by the rule of the merge. */
#ifndef ORRERY_RUNTIME_MERGE_SHARE_H
#define ORRERY_RUNTIME_MERGE_SHARE_H

#include "runtime/merge/merge.h"

enum { ORRERY_PLUS = 1, ORRERY_MINUS = 2, ORRERY_SIGNS = 3, ORRERY_SIGN_BITS = 2 };

/* So many in a pass correct a gain that begins too large. */
enum { ORRERY_MANY_MERGES = 16 };

/* Two, else one; no sign yet. */
static inline uint8_t orrery_gain_first(long merges) {
    return merges >= ORRERY_MANY_MERGES ? 1 << ORRERY_SIGN_BITS : 0;
}

/*
 * An element's gain and the sign of its last sum, `sum` of `n` changes having come: the gain's power
 * of two in the upper bits. It doubles, up to n, while sums have one sign, for then the rows go one
 * way and their steps add up; a sum of the other sign, which says that they went too far, makes it a
 * quarter. The idea is delta-bar-delta (Jacobs, Neural Networks 1, 1988).
 */
static inline uint8_t orrery_gain_next(uint8_t gain, unsigned sign, uint32_t n) {
    unsigned power = gain >> ORRERY_SIGN_BITS, before = gain & ORRERY_SIGNS, most = 0;
    while (most < 32 && (uint64_t)1 << most < n)
        ++most;
    if (sign && sign == before)
        ++power;
    else if (sign && before)
        power = power > 2 ? power - 2 : 0;
    power = power < most ? power : most;
    return (uint8_t)(power << ORRERY_SIGN_BITS | sign);
}

#define ORRERY_SHARES(suffix, type)                                                                \
    static inline type orrery_share_##suffix(const struct orrery_merged *m, size_t i, type sum,    \
                                             uint32_t n) {                                         \
        if (m->how->rule == ORRERY_RULE_ADD)                                                       \
            return sum;                                                                            \
        uint64_t gain = 1;                                                                         \
        if (m->how->rule == ORRERY_RULE_SCALE) {                                                   \
            m->gains[i] = orrery_gain_next(m->gains[i],                                            \
                                           sum > 0   ? ORRERY_PLUS                                 \
                                           : sum < 0 ? ORRERY_MINUS                                \
                                                     : 0,                                          \
                                           n);                                                     \
            gain <<= m->gains[i] >> ORRERY_SIGN_BITS;                                              \
            gain = gain < 2 && orrery_is_cold(m, i * sizeof sum) ? 2 : gain;                       \
            gain = orrery_takes_mean(m, i * sizeof sum) ? 1 : gain;                                \
        }                                                                                          \
        return gain >= n ? sum : sum / (type)n * (type)gain;                                       \
    }

ORRERY_SHARES(f32, float)
ORRERY_SHARES(f64, double)
ORRERY_SHARES(f80, long double)

/* Is it a type of real numbers? */
#define ORRERY_REAL(type) ((type).5 > 0)

#define ORRERY_WHOLE(m, i, sum, n) (sum)

#endif
