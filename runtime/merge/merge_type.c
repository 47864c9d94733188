/* Merging, by the type of the elements. */
#include "runtime/base/env.h"
#include "runtime/merge/merge.h"
#include "runtime/merge/share.h"

#include <math.h>
#include <string.h>

void orrery_changes_reserve(struct orrery_changes *changes, size_t count, size_t size) {
    if (count <= changes->room)
        return;
    changes->room = count;
    changes->at = dsm_own_realloc(changes->at, count * sizeof *changes->at);
    changes->values = dsm_own_realloc(changes->values, count * size);
}

void orrery_changes_free(struct orrery_changes *changes) {
    dsm_own_free(changes->at);
    dsm_own_free(changes->values);
}

/* Room for `more` besides those there are. */
static void grow(struct orrery_changes *changes, size_t more, size_t size) {
    if (changes->count + more > changes->room)
        orrery_changes_reserve(changes, 2 * (changes->count + more), size);
}

/* Bytes of a long double that say something. */
enum { SIGNIFICANT_F80 = 10 };

/*
 * The elements of [low, high) that differ from the snapshot in a bit, or that are not zero; minus
 * zero is zero. Each is noted down, and counts if it is one: no branch. `bits`: a whole number as
 * wide as the element.
 */
#define FINDS(suffix, bits, type)                                                                  \
    static void differing_##suffix(const char *copy, const char *snapshot, size_t low,             \
                                   size_t high, struct orrery_changes *changes) {                  \
        const bits *a = (const bits *)(const void *)copy, *b = (const void *)snapshot;             \
        grow(changes, high - low, sizeof *a);                                                      \
        bits *values = (bits *)(void *)changes->values;                                            \
        size_t n = changes->count;                                                                 \
        for (size_t i = low; i < high; ++i) {                                                      \
            changes->at[n] = (uint32_t)i;                                                          \
            values[n] = a[i];                                                                      \
            n += a[i] != b[i];                                                                     \
        }                                                                                          \
        changes->count = n;                                                                        \
    }                                                                                              \
    static void nonzero_##suffix(const char *copy, const char *none, size_t low, size_t high,      \
                                 struct orrery_changes *changes) {                                 \
        const type *a = (const type *)(const void *)copy;                                          \
        (void)none;                                                                                \
        grow(changes, high - low, sizeof *a);                                                      \
        type *values = (type *)(void *)changes->values;                                            \
        size_t n = changes->count;                                                                 \
        for (size_t i = low; i < high; ++i) {                                                      \
            changes->at[n] = (uint32_t)i;                                                          \
            values[n] = a[i];                                                                      \
            n += a[i] != 0;                                                                        \
        }                                                                                          \
        changes->count = n;                                                                        \
    }

FINDS(8, uint8_t, uint8_t)
FINDS(16, uint16_t, uint16_t)
FINDS(32, uint32_t, uint32_t)
FINDS(64, uint64_t, uint64_t)
FINDS(float, uint32_t, float)
FINDS(double, uint64_t, double)

static void find_f80(const char *copy, const char *snapshot, size_t low, size_t high,
                     struct orrery_changes *changes) {
    const long double *a = (const long double *)(const void *)copy;
    grow(changes, high - low, sizeof *a);
    for (size_t i = low; i < high; ++i) {
        bool changed =
            snapshot ? memcmp(&a[i], snapshot + i * sizeof *a, SIGNIFICANT_F80) != 0 : a[i] != 0;
        changes->at[changes->count] = (uint32_t)i;
        memcpy(changes->values + changes->count * sizeof *a, &a[i], sizeof *a);
        changes->count += changed;
    }
}

typedef void find_function(const char *copy, const char *snapshot, size_t low, size_t high,
                           struct orrery_changes *changes);

static const struct {
    find_function *differing, *nonzero;
} finds[] = {
    [ORRERY_I8] = {differing_8, nonzero_8},
    [ORRERY_U8] = {differing_8, nonzero_8},
    [ORRERY_I16] = {differing_16, nonzero_16},
    [ORRERY_U16] = {differing_16, nonzero_16},
    [ORRERY_I32] = {differing_32, nonzero_32},
    [ORRERY_U32] = {differing_32, nonzero_32},
    [ORRERY_I64] = {differing_64, nonzero_64},
    [ORRERY_U64] = {differing_64, nonzero_64},
    [ORRERY_F32] = {differing_float, nonzero_float},
    [ORRERY_F64] = {differing_double, nonzero_double},
    [ORRERY_F80] = {find_f80, find_f80},
};

void orrery_changes_find(const struct orrery_reduction *what, const char *copy,
                         const char *snapshot, size_t low, size_t high,
                         struct orrery_changes *changes) {
    if (snapshot)
        finds[what->type].differing(copy, snapshot, low, high, changes);
    else
        finds[what->type].nonzero(copy, NULL, low, high, changes);
}

size_t orrery_changes_from(const struct orrery_changes *changes, size_t low) {
    size_t from = 0, to = changes->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (changes->at[middle] < low)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* ---- merges ---- */

/*
 * One row's changes added: the sum of an element is its value in the list, over the differences;
 * what one row alone changed is that row's value. And what came of a part's elements. `wide`: the
 * type that the arithmetic is done in, so that whole numbers wrap.
 */
#define MERGES(suffix, type, wide, share)                                                          \
    static void add_##suffix(struct orrery_merged *m, const struct orrery_changes *c, size_t from, \
                             size_t to, struct orrery_part *part) {                                \
        type *sums = (type *)(void *)m->result.values;                                             \
        const type *snapshot = (const type *)(const void *)m->snapshot,                            \
                   *values = (const type *)(const void *)c->values;                                \
        for (size_t k = from; k < to; ++k) {                                                       \
            uint32_t i = c->at[k];                                                                 \
            size_t at = orrery_part_find(m, part, i);                                              \
            if (at == part->end) {                                                                 \
                sums[at] = values[k];                                                              \
                orrery_part_push(m, part, i);                                                      \
                continue;                                                                          \
            }                                                                                      \
            if (m->counts[at]++ == 1)                                                              \
                sums[at] = (type)((wide)sums[at] - (wide)snapshot[i]);                             \
            sums[at] = (type)((wide)sums[at] + (wide)(type)((wide)values[k] - (wide)snapshot[i])); \
        }                                                                                          \
    }                                                                                              \
    static double finish_##suffix(struct orrery_merged *m, const struct orrery_part *part) {       \
        type *snapshot = (type *)(void *)m->snapshot, *target = (type *)(void *)m->target,         \
             *values = (type *)(void *)m->result.values;                                           \
        double most = 0;                                                                           \
        for (size_t k = part->begin; k < part->end; ++k) {                                         \
            size_t i = m->result.at[k];                                                            \
            type value = values[k];                                                                \
            if (m->how->apply)                                                                     \
                value = target[i];                                                                 \
            else if (m->counts[k] > 1)                                                             \
                value = (type)((wide)snapshot[i] + (wide)share(m, i, value, m->counts[k]));        \
            double change = ORRERY_REAL(type) ? fabs((double)value - (double)snapshot[i]) : 0;     \
            most = change > most ? change : most;                                                  \
            snapshot[i] = target[i] = values[k] = value;                                           \
        }                                                                                          \
        return most;                                                                               \
    }

MERGES(i8, int8_t, uint32_t, ORRERY_WHOLE)
MERGES(u8, uint8_t, uint32_t, ORRERY_WHOLE)
MERGES(i16, int16_t, uint32_t, ORRERY_WHOLE)
MERGES(u16, uint16_t, uint32_t, ORRERY_WHOLE)
MERGES(i32, int32_t, uint32_t, ORRERY_WHOLE)
MERGES(u32, uint32_t, uint32_t, ORRERY_WHOLE)
MERGES(i64, int64_t, uint64_t, ORRERY_WHOLE)
MERGES(u64, uint64_t, uint64_t, ORRERY_WHOLE)
MERGES(f32, float, float, orrery_share_f32)
MERGES(f64, double, double, orrery_share_f64)
MERGES(f80, long double, long double, orrery_share_f80)

static const struct {
    void (*add)(struct orrery_merged *m, const struct orrery_changes *c, size_t from, size_t to,
                struct orrery_part *part);
    double (*finish)(struct orrery_merged *m, const struct orrery_part *part);
} merges[] = {
    [ORRERY_I8] = {add_i8, finish_i8},    [ORRERY_U8] = {add_u8, finish_u8},
    [ORRERY_I16] = {add_i16, finish_i16}, [ORRERY_U16] = {add_u16, finish_u16},
    [ORRERY_I32] = {add_i32, finish_i32}, [ORRERY_U32] = {add_u32, finish_u32},
    [ORRERY_I64] = {add_i64, finish_i64}, [ORRERY_U64] = {add_u64, finish_u64},
    [ORRERY_F32] = {add_f32, finish_f32}, [ORRERY_F64] = {add_f64, finish_f64},
    [ORRERY_F80] = {add_f80, finish_f80},
};

void orrery_changes_add(struct orrery_merged *merged, const struct orrery_changes *changes,
                        size_t from, size_t to, struct orrery_part *part) {
    merges[merged->what->type].add(merged, changes, from, to, part);
}

double orrery_changes_finish(struct orrery_merged *merged, const struct orrery_part *part) {
    return merges[merged->what->type].finish(merged, part);
}

/* ---- numbers that are none ---- */

static bool is_finite(enum orrery_type type, const char *value) {
    long double wide;
    double full;
    float half;
    switch (type) {
    case ORRERY_F32:
        memcpy(&half, value, sizeof half);
        return isfinite(half);
    case ORRERY_F64:
        memcpy(&full, value, sizeof full);
        return isfinite(full);
    case ORRERY_F80:
        memcpy(&wide, value, sizeof wide);
        return isfinite(wide);
    default:
        return true;
    }
}

/* Not one branch per number: the difference of a number and itself is not 0 when it is none. */
static bool all_finite(enum orrery_type type, const char *values, size_t n) {
    const float *half = (const float *)(const void *)values;
    const double *full = (const double *)(const void *)values;
    int bad = 0;
    for (size_t k = 0; type == ORRERY_F32 && k < n; ++k)
        bad |= half[k] - half[k] != 0;
    for (size_t k = 0; type == ORRERY_F64 && k < n; ++k)
        bad |= full[k] - full[k] != 0;
    return !bad && type != ORRERY_F80;
}

bool orrery_changes_finite(const struct orrery_merged *merged, const struct orrery_changes *changes,
                           size_t at) {
    size_t k = orrery_changes_from(changes, at);
    return is_finite(merged->what->type, changes->values + k * merged->what->size);
}

static double as_double(enum orrery_type type, const char *value) {
    float half;
    double full = 0;
    if (type == ORRERY_F64)
        memcpy(&full, value, sizeof full);
    if (type != ORRERY_F32)
        return full;
    memcpy(&half, value, sizeof half);
    return half;
}

/* The first change beyond ORRERY_MOST_CHANGE. */
static size_t too_large(const struct orrery_merged *m, const struct orrery_changes *changes,
                        size_t from, size_t to) {
    enum orrery_type type = m->what->type;
    size_t size = m->what->size;
    double most = orrery_env()->most_change;
    bool sums = m->what->op == ORRERY_BUFFERED;
    for (size_t k = from; most > 0 && k < to; ++k) {
        double change = as_double(type, changes->values + k * size);
        change -= sums ? 0 : as_double(type, m->snapshot + changes->at[k] * size);
        if (change > most || change < -most)
            return changes->at[k];
    }
    return SIZE_MAX;
}

size_t orrery_changes_bad(const struct orrery_merged *merged, const struct orrery_changes *changes,
                          size_t from, size_t to) {
    enum orrery_type type = merged->what->type;
    size_t size = merged->what->size;
    if (all_finite(type, changes->values + from * size, to - from))
        return too_large(merged, changes, from, to);
    for (size_t k = from; k < to; ++k)
        if (!is_finite(type, changes->values + k * size) &&
            is_finite(type, merged->snapshot + changes->at[k] * size))
            return changes->at[k];
    return too_large(merged, changes, from, to);
}
