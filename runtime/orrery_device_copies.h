/*
 * Of orrery_device.h: the copies that rows of the grid have of arrays that are folded into or relaxed
 * (docs/gpu.md, "Folds and merges"). What is done with them between launches of a loop's kernel is a
 * launch of a second one. A lane has an element, of all rows, rising: so an element's bits are those
 * that the host gives it (runtime/region/fold.c, runtime/merge/merge_type.c), whatever runs beside it.
 * Included by that header alone.
 */
#ifndef ORRERY_DEVICE_COPIES_H
#define ORRERY_DEVICE_COPIES_H

#ifdef __CUDACC__

#define ORRERY_COPIES(name, function)                                                              \
    extern "C" __global__ void ORRERY_BOUNDS name(const struct orrery_kernel_job job) {            \
        function(&job);                                                                            \
    }

ORRERY_DEVICE void orrery_keep_most_bits(unsigned long long *most, unsigned long long bits) {
    atomicMax(most, bits);
}

/* Rounded one by one, whatever flags say of fused operations. */
#define ORRERY_ROUNDED(suffix, type, letter)                                                       \
    ORRERY_DEVICE type orrery_plus_##suffix(type a, type b) {                                      \
        return __##letter##add_rn(a, b);                                                           \
    }                                                                                              \
    ORRERY_DEVICE type orrery_times_##suffix(type a, type b) {                                     \
        return __##letter##mul_rn(a, b);                                                           \
    }                                                                                              \
    ORRERY_DEVICE type orrery_over_##suffix(type a, type b) {                                      \
        return __##letter##div_rn(a, b);                                                           \
    }
ORRERY_ROUNDED(f32, float, f)
ORRERY_ROUNDED(f64, double, d)

#else

#define ORRERY_COPIES(name, function)                                                              \
    static void name(const struct orrery_kernel_job *job) {                                        \
        function(job);                                                                             \
    }

ORRERY_DEVICE void orrery_keep_most_bits(unsigned long long *most, unsigned long long bits) {
    *most = bits > *most ? bits : *most;
}

#define ORRERY_ROUNDED(suffix, type)                                                               \
    ORRERY_DEVICE type orrery_plus_##suffix(type a, type b) {                                      \
        return a + b;                                                                              \
    }                                                                                              \
    ORRERY_DEVICE type orrery_times_##suffix(type a, type b) {                                     \
        const volatile type product = a * b;                                                       \
        return product;                                                                            \
    }                                                                                              \
    ORRERY_DEVICE type orrery_over_##suffix(type a, type b) {                                      \
        return a / b;                                                                              \
    }
ORRERY_ROUNDED(f32, float)
ORRERY_ROUNDED(f64, double)

#endif

/* So many rows' elements are on their way at the same time. */
enum { ORRERY_ROWS_AHEAD = 16 };

/* What launches do of reduction `job->reduction`: its copies become what its own memory has; they are
 * folded into that; they are merged, and become what came of it unless that is `job->last`. */
enum { ORRERY_SPREAD_COPIES, ORRERY_FOLD_COPIES, ORRERY_MERGE_COPIES };

ORRERY_DEVICE void orrery_spread_copies(const struct orrery_kernel_job *job) {
    const struct orrery_kernel_copies *c = &job->copies[job->reduction];
    const unsigned long *own = (const unsigned long *)c->own;
    const long words = c->stride / (long)sizeof *own;
    const long all = (job->row_high - job->row_low) * words;
    const long lanes = orrery_warp_count() * ORRERY_LANES;
    for (long k = orrery_warp_number() * ORRERY_LANES + orrery_lane_number(); k < all; k += lanes)
        ((unsigned long *)c->memory)[k] = own[k % words];
}

/* The next rows' elements, from `row` on; of those behind the last the last one's. */
#define ORRERY_ROWS_LOAD(type, next, from, row, rows, stride)                                      \
    type next[ORRERY_ROWS_AHEAD];                                                                  \
    ORRERY_UNROLL                                                                                  \
    for (int orrery_n = 0; orrery_n < ORRERY_ROWS_AHEAD; ++orrery_n)                               \
        next[orrery_n] =                                                                           \
            *(const type *)((from) + ((row) + orrery_n < (rows) ? (row) + orrery_n : (rows) - 1) * \
                                         (stride));

/* `two`: the fold of two numbers. */
#define ORRERY_FOLD_ROWS(name, type, two)                                                          \
    ORRERY_DEVICE void name(const struct orrery_kernel_job *job) {                                 \
        const struct orrery_kernel_copies *c = &job->copies[job->reduction];                       \
        const long rows = job->row_high - job->row_low, stride = c->stride, count = c->count;      \
        const long lanes = orrery_warp_count() * ORRERY_LANES;                                     \
        for (long k = orrery_warp_number() * ORRERY_LANES + orrery_lane_number(); k < count;       \
             k += lanes) {                                                                         \
            const char *const from = c->memory + k * (long)sizeof(type);                           \
            type *const own = (type *)c->own + k, value = *own;                                    \
            for (long row = 0; row < rows; row += ORRERY_ROWS_AHEAD) {                             \
                ORRERY_ROWS_LOAD(type, next, from, row, rows, stride)                              \
                ORRERY_UNROLL                                                                      \
                for (int n = 0; n < ORRERY_ROWS_AHEAD; ++n)                                        \
                    if (row + n < rows)                                                            \
                        value = (type)two(value, next[n]);                                         \
            }                                                                                      \
            *own = value;                                                                          \
        }                                                                                          \
    }

/* ---- merges ---------------------------------------------------------------------------------- */

/* The bits of the largest change of a lane's elements; and, in the upper half the element's number, in
 * the lower one the row's, all inverted, the first that is no number any more. */
struct orrery_merge_found {
    double most;
    unsigned long long bad;
};

ORRERY_DEVICE unsigned long long orrery_bits_of(double value) {
    union {
        double value;
        unsigned long long bits;
    } same = {value};
    return same.bits;
}

ORRERY_DEVICE void orrery_merge_tell(struct orrery_kernel_merged *merged,
                                     struct orrery_merge_found found) {
    const double most = orrery_lanes_max_f64(found.most);
    if (orrery_lane_number() == 0 && most > 0)
        orrery_keep_most_bits(&merged->most, orrery_bits_of(most));
    if (found.bad)
        orrery_keep_most_bits(&merged->bad, found.bad);
}

/* The power of two of an element's gain, and the sign of its last sum (runtime/merge/share.h). */
ORRERY_DEVICE unsigned char orrery_gain_after(unsigned char gain, unsigned sign, unsigned n) {
    unsigned power = gain >> 2, before = gain & 3, most = 0;
    while (most < 32 && 1ul << most < n)
        ++most;
    if (sign && sign == before)
        ++power;
    else if (sign && before)
        power = power > 2 ? power - 2 : 0;
    power = power < most ? power : most;
    return (unsigned char)(power << 2 | sign);
}

/*
 * By the type of the elements: `bits`, a whole number as wide; sum and difference of `a` and `b`; what
 * the sum `a` of the changes of `b` rows counts; whether they are real numbers.
 */
#define ORRERY_MERGE_ROWS(name, type, bits, plus, minus, share, real)                              \
    ORRERY_DEVICE type name##_plus(type a, type b) {                                               \
        return (type)(plus);                                                                       \
    }                                                                                              \
    ORRERY_DEVICE type name##_minus(type a, type b) {                                              \
        return (type)(minus);                                                                      \
    }                                                                                              \
    ORRERY_DEVICE type name##_share(const struct orrery_kernel_copies *c, long k, type a,          \
                                    unsigned b) {                                                  \
        (void)c, (void)k, (void)b;                                                                 \
        return share;                                                                              \
    }                                                                                              \
    ORRERY_DEVICE int name##_same(type a, type b) {                                                \
        union {                                                                                    \
            type value;                                                                            \
            bits whole;                                                                            \
        } x = {a}, y = {b};                                                                        \
        return x.whole == y.whole;                                                                 \
    }                                                                                              \
    ORRERY_DEVICE int name##_finite(type a) {                                                      \
        return !(real) || a - a == 0;                                                              \
    }                                                                                              \
    ORRERY_DEVICE void name##_element(const struct orrery_kernel_job *job, long k,                 \
                                      struct orrery_merge_found *found) {                          \
        const struct orrery_kernel_copies *c = &job->copies[job->reduction];                       \
        const long rows = job->row_high - job->row_low, stride = c->stride;                        \
        char *const from = c->memory + k * (long)sizeof(type);                                     \
        type *const own = (type *)c->own + k, before = *own, value = before;                       \
        unsigned count = 0;                                                                        \
        for (long row = 0; row < rows; row += ORRERY_ROWS_AHEAD) {                                 \
            ORRERY_ROWS_LOAD(type, next, from, row, rows, stride)                                  \
            ORRERY_UNROLL                                                                          \
            for (int n = 0; n < ORRERY_ROWS_AHEAD; ++n) {                                          \
                if (row + n >= rows || name##_same(next[n], before))                               \
                    continue;                                                                      \
                if (!name##_finite(next[n]) && name##_finite(before)) {                            \
                    const unsigned long long bad = ~((unsigned long long)k << 32 | (row + n));     \
                    found->bad = bad > found->bad ? bad : found->bad;                              \
                }                                                                                  \
                if (count == 1)                                                                    \
                    value = name##_minus(value, before);                                           \
                value = count ? name##_plus(value, name##_minus(next[n], before)) : next[n];       \
                ++count;                                                                           \
            }                                                                                      \
        }                                                                                          \
        if (count == 0)                                                                            \
            return;                                                                                \
        if (count > 1)                                                                             \
            value = name##_plus(before, name##_share(c, k, value, count));                         \
        const double change = real ? fabs((double)value - (double)before) : 0;                     \
        found->most = change > found->most ? change : found->most;                                 \
        *own = value;                                                                              \
        for (long row = 0; row < rows && !job->last; ++row)                                        \
            *(type *)(from + row * stride) = value;                                                \
    }                                                                                              \
    ORRERY_DEVICE void name(const struct orrery_kernel_job *job) {                                 \
        const struct orrery_kernel_copies *c = &job->copies[job->reduction];                       \
        const long lanes = orrery_warp_count() * ORRERY_LANES, lane = orrery_lane_number();        \
        struct orrery_merge_found found = {0, 0};                                                  \
        for (long k = orrery_warp_number() * ORRERY_LANES; k < c->count; k += lanes)               \
            if (k + lane < c->count)                                                               \
                name##_element(job, k + lane, &found);                                             \
        orrery_merge_tell(c->merged, found);                                                       \
    }

/* What the sum of the changes of `n` rows counts, by the rule; no operation is made one with another. */
#define ORRERY_SHARE(suffix, type)                                                                 \
    ORRERY_DEVICE type orrery_share_##suffix(const struct orrery_kernel_copies *c, long k,         \
                                             type sum, unsigned n) {                               \
        unsigned long gain = 1;                                                                    \
        if (c->rule == ORRERY_KERNEL_ADD)                                                          \
            return sum;                                                                            \
        if (c->rule == ORRERY_KERNEL_SCALE) {                                                      \
            c->gains[k] = orrery_gain_after(c->gains[k], sum > 0 ? 1 : sum < 0 ? 2 : 0, n);        \
            gain <<= c->gains[k] >> 2;                                                             \
        }                                                                                          \
        return gain >= n ? sum                                                                     \
                         : orrery_times_##suffix(orrery_over_##suffix(sum, (type)n), (type)gain);  \
    }
ORRERY_SHARE(f32, float)
ORRERY_SHARE(f64, double)

#define ORRERY_MERGE_WHOLE(name, type, bits)                                                       \
    ORRERY_MERGE_ROWS(name, type, bits, (unsigned long)a + (unsigned long)b,                       \
                      (unsigned long)a - (unsigned long)b, a, 0)
#define ORRERY_MERGE_REAL(name, type, bits, suffix)                                                \
    ORRERY_MERGE_ROWS(name, type, bits, orrery_plus_##suffix(a, b), orrery_plus_##suffix(a, -b),   \
                      orrery_share_##suffix(c, k, a, b), 1)
#define ORRERY_MERGE_i8(name) ORRERY_MERGE_WHOLE(name, signed char, unsigned char)
#define ORRERY_MERGE_u8(name) ORRERY_MERGE_WHOLE(name, unsigned char, unsigned char)
#define ORRERY_MERGE_i16(name) ORRERY_MERGE_WHOLE(name, short, unsigned short)
#define ORRERY_MERGE_u16(name) ORRERY_MERGE_WHOLE(name, unsigned short, unsigned short)
#define ORRERY_MERGE_i32(name) ORRERY_MERGE_WHOLE(name, int, unsigned)
#define ORRERY_MERGE_u32(name) ORRERY_MERGE_WHOLE(name, unsigned, unsigned)
#define ORRERY_MERGE_i64(name) ORRERY_MERGE_WHOLE(name, long, unsigned long)
#define ORRERY_MERGE_u64(name) ORRERY_MERGE_WHOLE(name, unsigned long, unsigned long)
#define ORRERY_MERGE_f32(name) ORRERY_MERGE_REAL(name, float, unsigned, f32)
#define ORRERY_MERGE_f64(name) ORRERY_MERGE_REAL(name, double, unsigned long, f64)

#endif
