/* Merging, by the type of the elements. */
#include "runtime/merge.h"

#include <math.h>
#include <string.h>

void orrery_changes_reserve(struct orrery_changes *changes, size_t count, size_t size) {
    if (count <= changes->room)
        return;
    changes->room = count;
    changes->at = dsm_own_realloc(changes->at, count * sizeof *changes->at);
    changes->values = dsm_own_realloc(changes->values, count * size);
}

static inline void push(struct orrery_changes *changes, size_t at, const char *value, size_t size) {
    if (changes->count == changes->room)
        orrery_changes_reserve(changes, changes->room ? 2 * changes->room : 64, size);
    changes->at[changes->count] = (uint32_t)at;
    memcpy(changes->values + changes->count++ * size, value, size);
}

/* Bytes of a long double that say something. */
enum { SIGNIFICANT_F80 = 10 };

/*
 * The elements of [low, high) that differ from the snapshot in a bit, or that are not zero; minus
 * zero is zero. `bits`: a whole number as wide as the element.
 */
#define FINDS(suffix, bits, type)                                                                  \
    static void differing_##suffix(const char *copy, const char *snapshot, size_t low,             \
                                   size_t high, struct orrery_changes *changes) {                  \
        const bits *a = (const bits *)(const void *)copy, *b = (const void *)snapshot;             \
        for (size_t i = low; i < high; ++i)                                                        \
            if (a[i] != b[i])                                                                      \
                push(changes, i, copy + i * sizeof *a, sizeof *a);                                 \
    }                                                                                              \
    static void nonzero_##suffix(const char *copy, const char *none, size_t low, size_t high,      \
                                 struct orrery_changes *changes) {                                 \
        const type *a = (const type *)(const void *)copy;                                          \
        (void)none;                                                                                \
        for (size_t i = low; i < high; ++i)                                                        \
            if (a[i] != 0)                                                                         \
                push(changes, i, copy + i * sizeof *a, sizeof *a);                                 \
    }

FINDS(8, uint8_t, uint8_t)
FINDS(16, uint16_t, uint16_t)
FINDS(32, uint32_t, uint32_t)
FINDS(64, uint64_t, uint64_t)
FINDS(float, uint32_t, float)
FINDS(double, uint64_t, double)

static void differing_f80(const char *copy, const char *snapshot, size_t low, size_t high,
                          struct orrery_changes *changes) {
    size_t size = sizeof(long double);
    for (size_t i = low; i < high; ++i)
        if (memcmp(copy + i * size, snapshot + i * size, SIGNIFICANT_F80) != 0)
            push(changes, i, copy + i * size, size);
}

static void nonzero_f80(const char *copy, const char *none, size_t low, size_t high,
                        struct orrery_changes *changes) {
    const long double *a = (const long double *)(const void *)copy;
    (void)none;
    for (size_t i = low; i < high; ++i)
        if (a[i] != 0)
            push(changes, i, copy + i * sizeof *a, sizeof *a);
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
    [ORRERY_F80] = {differing_f80, nonzero_f80},
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

/*
 * One row's changes added, and the elements finished. The sum is over the differences; what one row
 * alone changed is that row's value. `wide`: the type that the arithmetic is done in, so that whole
 * numbers wrap.
 */
#define MERGES(suffix, type, wide)                                                                 \
    static void add_##suffix(struct orrery_merged *m, const struct orrery_changes *c, size_t from, \
                             size_t to) {                                                          \
        type *sum = (type *)(void *)m->sum;                                                        \
        const type *snapshot = (const type *)(const void *)m->snapshot,                            \
                   *values = (const type *)(const void *)c->values;                                \
        for (size_t k = from; k < to; ++k) {                                                       \
            size_t i = c->at[k];                                                                   \
            if (m->times[i] == 0) {                                                                \
                m->times[i] = 1;                                                                   \
                sum[i] = values[k];                                                                \
                continue;                                                                          \
            }                                                                                      \
            if (m->times[i] == 1)                                                                  \
                sum[i] = (type)((wide)sum[i] - (wide)snapshot[i]);                                 \
            m->times[i] = 2;                                                                       \
            sum[i] = (type)((wide)sum[i] + (wide)(type)((wide)values[k] - (wide)snapshot[i]));     \
        }                                                                                          \
    }                                                                                              \
    static void finish_##suffix(struct orrery_merged *m, size_t i) {                               \
        type *snapshot = (type *)(void *)m->snapshot, *target = (type *)(void *)m->target;         \
        const type *sum = (const type *)(const void *)m->sum;                                      \
        type value = m->times[i] == 1 ? sum[i] : (type)((wide)snapshot[i] + (wide)sum[i]);         \
        snapshot[i] = target[i] = value;                                                           \
    }

MERGES(i8, int8_t, uint32_t)
MERGES(u8, uint8_t, uint32_t)
MERGES(i16, int16_t, uint32_t)
MERGES(u16, uint16_t, uint32_t)
MERGES(i32, int32_t, uint32_t)
MERGES(u32, uint32_t, uint32_t)
MERGES(i64, int64_t, uint64_t)
MERGES(u64, uint64_t, uint64_t)
MERGES(f32, float, float)
MERGES(f64, double, double)
MERGES(f80, long double, long double)

static const struct {
    void (*add)(struct orrery_merged *m, const struct orrery_changes *c, size_t from, size_t to);
    void (*finish)(struct orrery_merged *m, size_t i);
} merges[] = {
    [ORRERY_I8] = {add_i8, finish_i8},    [ORRERY_U8] = {add_u8, finish_u8},
    [ORRERY_I16] = {add_i16, finish_i16}, [ORRERY_U16] = {add_u16, finish_u16},
    [ORRERY_I32] = {add_i32, finish_i32}, [ORRERY_U32] = {add_u32, finish_u32},
    [ORRERY_I64] = {add_i64, finish_i64}, [ORRERY_U64] = {add_u64, finish_u64},
    [ORRERY_F32] = {add_f32, finish_f32}, [ORRERY_F64] = {add_f64, finish_f64},
    [ORRERY_F80] = {add_f80, finish_f80},
};

void orrery_changes_add(struct orrery_merged *merged, const struct orrery_changes *changes,
                        size_t low, size_t high) {
    merges[merged->what->type].add(merged, changes, orrery_changes_from(changes, low),
                                   orrery_changes_from(changes, high));
}

void orrery_changes_finish(struct orrery_merged *merged, size_t i) {
    merges[merged->what->type].finish(merged, i);
}

bool orrery_is_finite(enum orrery_type type, const void *value) {
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
