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
    int last;           /* this merge is the run's last: hot elements become the mean */
    int by_line;        /* it is merged line by line, out of a copy per row */
};

struct orrery_merge {
    struct orrery_merged arrays[ORRERY_MOST_SUMS];
    long rows;            /* of the grid in the last run */
    int alone, was_alone; /* one row, which works on the targets; in the last run */
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
    unsigned before = gain & 3, most = n > 1 ? 32 - (unsigned)__builtin_clz(n - 1) : 0;
    int power = gain >> 2;
    power += !sign || !before ? 0 : sign == before ? 1 : -2;
    power = power < 0 ? 0 : power < (int)most ? power : (int)most;
    return (unsigned char)((unsigned)power << 2 | sign);
}

static unsigned long orrery_gain(const struct orrery_merged *m, unsigned i, unsigned sign,
                                 unsigned n) {
    if (m->how->rule != ORRERY_RULE_SCALE)
        return 1;
    m->gains[i] = orrery_gain_next(m->gains[i], sign, n);
    if (m->last && m->hot && m->hot[i / m->per_line])
        return 1;
    if (m->gains[i] >> 2 == 0 && m->hot && !m->hot[i / m->per_line])
        return 2;
    return 1ul << (m->gains[i] >> 2);
}

/* What is done by type; `wide`: what arithmetic is done in, so that whole numbers wrap. Elements of
 * [low, high) that differ from the snapshot in a bit, or without one that are not zero; a row's
 * changes added to the result, whose sums are those of differences; and what came of all. */
#define ORRERY_MERGES(name, type, wide)                                                            \
    static type orrery_shared_##name(const struct orrery_merged *m, unsigned i, type sum,          \
                                     type before, unsigned n) {                                    \
        unsigned long gain = orrery_gain(m, i, sum > 0 ? 1 : sum < 0 ? 2 : 0, n);                  \
        if (m->how->rule != ORRERY_RULE_ADD && gain < n)                                           \
            sum = sum / (type)n * (type)gain;                                                      \
        return (type)((wide)before + (wide)sum);                                                   \
    }                                                                                              \
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
                value = orrery_shared_##name(m, i, value, snapshot[i], n);                         \
            }                                                                                      \
            snapshot[i] = target[i] = value;                                                       \
        }                                                                                          \
    }

/* Vectors: a where `when` holds, else b. */
#define ORRERY_PICK(name, when, a, b)                                                              \
    ((orrery_numbers_##name)(((when) & (orrery_bits_##name)(a)) |                                  \
                             (~(when) & (orrery_bits_##name)(b))))

/* The same of a line at once, out of all rows' copies and into them. */
#define ORRERY_MERGE_LINES(name, type, bits)                                                       \
    typedef type orrery_numbers_##name __attribute__((__vector_size__(32)));                       \
    typedef bits orrery_bits_##name __attribute__((__vector_size__(32)));                          \
    static void orrery_merge_line_##name(struct orrery_merged *m, long rows, long line,            \
                                         int judges) {                                             \
        const long n = 32 / (long)sizeof(type);                                                    \
        unsigned long changes = 0, full = 0;                                                       \
        for (unsigned long at = (unsigned long)line * 64; at < (unsigned long)line * 64 + 64;      \
             at += 32) {                                                                           \
            const long first = (long)(at / sizeof(type));                                          \
            const long left = first < m->n ? (m->n - first < n ? m->n - first : n) : 0;            \
            orrery_numbers_##name before, now, sums = {0}, values;                                 \
            orrery_bits_##name counts = {0};                                                       \
            unsigned long some = 0;                                                                \
            memcpy(&before, m->snapshot + at, 32);                                                 \
            values = before;                                                                       \
            for (long row = 0; row < rows; ++row) {                                                \
                memcpy(&now, m->copies + (unsigned long)row * m->stride + at, 32);                 \
                const orrery_bits_##name changed =                                                 \
                    (orrery_bits_##name)((orrery_bits_##name)now != (orrery_bits_##name)before);   \
                const orrery_bits_##name first_one = (orrery_bits_##name)(counts == 0);            \
                const orrery_numbers_##name change = now - before, more = sums + change;           \
                const orrery_numbers_##name sum = ORRERY_PICK(name, first_one, change, more);      \
                sums = ORRERY_PICK(name, changed, sum, sums);                                      \
                values = ORRERY_PICK(name, changed, now, values);                                  \
                counts -= changed;                                                                 \
            }                                                                                      \
            for (long k = 0; k < n; ++k) {                                                         \
                some += counts[k];                                                                 \
                full += (long)counts[k] == rows ? counts[k] : 0;                                   \
            }                                                                                      \
            if (!some)                                                                             \
                continue;                                                                          \
            changes += some;                                                                       \
            for (long k = 0; k < n; ++k)                                                           \
                if (counts[k] > 1)                                                                 \
                    values[k] = orrery_shared_##name(m, (unsigned)(first + k), sums[k], before[k], \
                                                     (unsigned)counts[k]);                         \
            memcpy(m->snapshot + at, &values, 32);                                                 \
            memcpy(m->target + at, &values, (unsigned long)left * sizeof(type));                   \
            for (long row = 0; row < rows; ++row)                                                  \
                memcpy(m->copies + (unsigned long)row * m->stride + at, &values, 32);              \
        }                                                                                          \
        if (judges)                                                                                \
            m->hot[line] = changes && 2 * full >= changes;                                         \
    }

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
