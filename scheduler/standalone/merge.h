#ifndef ORRERY_SCHEDULER_STANDALONE_MERGE_H
#define ORRERY_SCHEDULER_STANDALONE_MERGE_H
/* ---- relaxed and buffered arrays ------------------------------------------------------------- */
/* A row works on a copy that is as the last merge left the array, or zero. At a merge the rows'
 * changes are brought together in the rows' order. */

/* Elements that one row changed, indices rising. */
struct orrery_changes {
    long count, room;
    unsigned *at;
    char *values;
};

/* Per merged array. */
struct orrery_merged {
    const struct orrery_merging *how; /* the loop's own words of it */
    unsigned long stride;             /* from copy to copy */
    long n, slots, per_line;          /* elements; copies; elements of a line */
    char *copies;                     /* a row's, or a thread's */
    unsigned long nmarks, nfront;     /* of a copy; of these those of 64 lines */
    _Bool *marks;                     /* lines of copies that the body has written; 0: not marked */
    char *snapshot, *target;          /* as the last merge left it; the program's */
    struct orrery_changes *rows;      /* per row */
    struct orrery_changes result;     /* what came of a merge, in no order */
    unsigned *counts, *places;        /* per entry: rows that changed it; per element: its entry */
    unsigned char *gains;             /* ORRERY_RULE_SCALE: per element, see orrery_gain_next */
    unsigned char *hot; /* per line, since the first merge; 0: every merge takes every line */
    int hot_only;       /* this merge takes those alone */
};

struct orrery_merge {
    struct orrery_merged arrays[ORRERY_MOST_SUMS];
    int alone; /* one row, which works on the targets */
};

static void *orrery_widen(void *old, long count, unsigned long size) {
    void *memory = (realloc)(old, (unsigned long)count * size + 1);
    if (!memory)
        orrery_die("no memory for a parallel loop");
    return memory;
}

static void orrery_changes_reserve(struct orrery_changes *changes, long count, unsigned long size) {
    if (count <= changes->room)
        return;
    changes->room = 2 * count;
    changes->at = orrery_widen(changes->at, changes->room, sizeof *changes->at);
    changes->values = orrery_widen(changes->values, changes->room, size);
}

/* An element's gain and the sign of its last sum: a power of two in the upper bits. It doubles, up
 * to n, while sums have one sign; a sum of the other sign makes it a quarter (after Jacobs, Neural
 * Networks 1, 1988). */
static unsigned char orrery_gain_next(unsigned char gain, unsigned sign, unsigned n) {
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

static unsigned long orrery_gain(const struct orrery_merged *m, unsigned i, unsigned sign,
                                 unsigned n) {
    if (m->how->rule != ORRERY_RULE_SCALE)
        return 1;
    m->gains[i] = orrery_gain_next(m->gains[i], sign, n);
    if (m->gains[i] >> 2 == 0 && m->hot && !m->hot[i / m->per_line])
        return 2;
    return 1ul << (m->gains[i] >> 2);
}

/* What is done by type; `wide`: what arithmetic is done in, so that whole numbers wrap. Elements of
 * [low, high) that differ from the snapshot in a bit, or without one that are not zero; a row's
 * changes added to the result, whose sums are those of differences; and what came of all. */
#define ORRERY_MERGES(name, type, wide)                                                            \
    static void orrery_merge_find_##name(const char *copy, const char *snapshot, long low,         \
                                         long high, struct orrery_changes *changes) {              \
        const type *a = (const void *)copy, *b = (const void *)snapshot;                           \
        orrery_changes_reserve(changes, changes->count + high - low, sizeof *a);                   \
        type *values = (void *)changes->values;                                                    \
        for (long i = low; i < high; ++i) {                                                        \
            changes->at[changes->count] = (unsigned)i;                                             \
            values[changes->count] = a[i];                                                         \
            changes->count += b ? memcmp(&a[i], &b[i], sizeof *a) != 0 : a[i] != 0;                \
        }                                                                                          \
    }                                                                                              \
    static void orrery_merge_add_##name(struct orrery_merged *m,                                   \
                                        const struct orrery_changes *changes) {                    \
        type *sums = (void *)m->result.values;                                                     \
        const type *snapshot = (void *)m->snapshot, *values = (void *)changes->values;             \
        for (long k = 0; k < changes->count; ++k) {                                                \
            unsigned i = changes->at[k], at = m->places[i];                                        \
            type difference = (type)((wide)values[k] - (wide)snapshot[i]);                         \
            if (at >= m->result.count || m->result.at[at] != i) {                                  \
                orrery_result_push(m, i);                                                          \
                sums[m->result.count - 1] = values[k];                                             \
                continue;                                                                          \
            }                                                                                      \
            if (m->counts[at]++ == 1)                                                              \
                sums[at] = (type)((wide)sums[at] - (wide)snapshot[i]);                             \
            sums[at] = (type)((wide)sums[at] + (wide)difference);                                  \
        }                                                                                          \
    }                                                                                              \
    static void orrery_merge_finish_##name(struct orrery_merged *m) {                              \
        type *snapshot = (void *)m->snapshot, *target = (void *)m->target;                         \
        const type *values = (void *)m->result.values;                                             \
        for (long k = 0; k < m->result.count; ++k) {                                               \
            unsigned i = m->result.at[k], n = m->counts[k];                                        \
            type value = values[k];                                                                \
            if (m->how->apply) {                                                                   \
                value = target[i];                                                                 \
            } else if (n > 1) {                                                                    \
                unsigned long gain = orrery_gain(m, i, value > 0 ? 1 : value < 0 ? 2 : 0, n);      \
                if (m->how->rule != ORRERY_RULE_ADD && gain < n)                                   \
                    value = value / (type)n * (type)gain;                                          \
                value = (type)((wide)snapshot[i] + (wide)value);                                   \
            }                                                                                      \
            snapshot[i] = target[i] = value;                                                       \
        }                                                                                          \
    }                                                                                              \
    static const struct orrery_merging_kind orrery_merge_##name = {                                \
        orrery_merge_find_##name, orrery_merge_add_##name, orrery_merge_finish_##name};

static void orrery_result_push(struct orrery_merged *m, unsigned i) {
    m->places[i] = (unsigned)m->result.count;
    m->counts[m->result.count] = 1;
    m->result.at[m->result.count++] = i;
}

/* The user's function for each of a row's updates. */
static void orrery_apply(struct orrery_merged *m, const struct orrery_changes *changes,
                         unsigned long size) {
    for (long k = 0; k < changes->count; ++k) {
        unsigned i = changes->at[k], at = m->places[i];
        if (at >= m->result.count || m->result.at[at] != i)
            orrery_result_push(m, i);
        m->how->apply(m->target + (unsigned long)i * size,
                      changes->values + (unsigned long)k * size, (long)i);
    }
}

/* Marks are 64 bytes each: per line, and in front of these, going down, per 64 lines. */
static void *orrery_mark(void *address, const char *base, _Bool *marks) {
    if (marks) {
        unsigned long line = (unsigned long)((const char *)address - base) / 64;
        marks[line] = 1;
        marks[-1 - (long)(line / 64)] = 1;
    }
    return address;
}

/* Where the update of an element of a snapshot is collected. */
static void *orrery_update(const void *address, long shift) {
    return (void *)((__UINTPTR_TYPE__)address + (__UINTPTR_TYPE__)shift);
}
#endif
