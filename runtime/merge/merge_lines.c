/*
 * Merges of arrays of which this rank, the only one, has a copy per row: line by line, from all
 * copies into all copies. What becomes of an element is what lists of changes give (merge_type.c),
 * to the bit.
 */
#include "runtime/base/memory.h"
#include "runtime/merge/merge.h"
#include "runtime/merge/share.h"
#include "runtime/threads/workers.h"

#include <string.h>

/* What processors work on at once, and of a line's: one after the other. */
enum { VECTOR = 32 };

#define VECTORS(suffix, type, bits, whole)                                                         \
    typedef type vector_##suffix __attribute__((vector_size(VECTOR)));                             \
    typedef bits mask_##suffix __attribute__((vector_size(VECTOR)));                               \
    typedef whole whole_##suffix __attribute__((vector_size(VECTOR)));                             \
    struct found_##suffix {                                                                        \
        vector_##suffix most;                                                                      \
        mask_##suffix changes, elements;                                                           \
    };                                                                                             \
    enum { LEN_##suffix = VECTOR / sizeof(type) };

VECTORS(f32, float, uint32_t, int32_t)
VECTORS(f64, double, uint64_t, int64_t)

/* What a worker finds: per place in a vector, by type, the largest change, changes of rows and
 * elements that changed. */
struct lines_share {
    struct found_f32 f32;
    struct found_f64 f64;
};

/* The first element of a worker's that is no number (SIZE_MAX: none), made so by `row`. */
struct lines_bad {
    size_t element;
    long row;
};

/* One array's merge; `workers` of `shares` and `bad`. */
struct lines_job {
    struct orrery_merged *m;
    int workers;
    bool judges; /* which lines are hot */
    bool last;   /* of the pass: nobody works on the copies any more */
    bool marked; /* rows have left marks */
    struct lines_share *shares;
    struct lines_bad *bad;
};

/* How a line is merged: `rows` and `judges` are known when the code is made. */
struct lines_way {
    const struct lines_job *job;
    int worker;
    long rows;
    bool judges, last;
};

static inline char *copy_of(const struct orrery_merged *m, long row) {
    return m->copies + (size_t)row * m->stride;
}

/* Sizes are known inside: copies of a vector are no calls, and none is passed to a function. */
#define ALWAYS inline __attribute__((always_inline))

static ALWAYS bool any_of(mask_f64 all) {
    return all[0] | all[1] | all[2] | all[3];
}

/* Bytes become numbers of a vector, and back. Compilers convert them one by one. */
static ALWAYS whole_f32 unpack_f32(const uint8_t *from) {
    uint32_t low, high;
    memcpy(&low, from, sizeof low);
    memcpy(&high, from + sizeof low, sizeof high);
    mask_f32 all = {low, low, low, low, high, high, high, high};
    return (whole_f32)(all >> (mask_f32){0, 8, 16, 24, 0, 8, 16, 24} & UINT8_MAX);
}

static ALWAYS void pack_f32(uint8_t *to, whole_f32 values) {
    mask_f64 all = (mask_f64)((mask_f32)values << (mask_f32){0, 8, 16, 24, 0, 8, 16, 24});
    uint64_t low = all[0] | all[1], high = all[2] | all[3];
    uint32_t words[] = {(uint32_t)(low | low >> 32), (uint32_t)(high | high >> 32)};
    memcpy(to, words, sizeof words);
}

static ALWAYS whole_f64 unpack_f64(const uint8_t *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return (whole_f64)((mask_f64){word, word, word, word} >> (mask_f64){0, 8, 16, 24} & UINT8_MAX);
}

static ALWAYS void pack_f64(uint8_t *to, whole_f64 values) {
    mask_f64 all = (mask_f64)values << (mask_f64){0, 8, 16, 24};
    uint32_t word = (uint32_t)(all[0] | all[1] | all[2] | all[3]);
    memcpy(to, &word, sizeof word);
}

/*
 * The vector of elements at byte `at`, `bytes` of which are the array's: what the rows, rising, made
 * of them, then the result everywhere. The snapshot is the target.
 */
#define LINES(suffix, type)                                                                        \
    static ALWAYS vector_##suffix pick_##suffix(mask_##suffix mask, vector_##suffix yes,           \
                                                vector_##suffix no) {                              \
        return (vector_##suffix)(((mask_##suffix)yes & mask) | ((mask_##suffix)no & ~mask));       \
    }                                                                                              \
    static ALWAYS vector_##suffix load_##suffix(const char *from, size_t bytes) {                  \
        vector_##suffix vector = {0};                                                              \
        memcpy(&vector, from, bytes);                                                              \
        return vector;                                                                             \
    }                                                                                              \
    static __attribute__((noinline)) void look_##suffix(const struct orrery_merged *m, size_t at,  \
                                                        size_t bytes, struct lines_bad *bad) {     \
        vector_##suffix before = load_##suffix(m->snapshot + at, bytes);                           \
        for (size_t k = 0; k < bytes / sizeof(type); ++k)                                          \
            for (long row = 0; row < m->ncopies; ++row) {                                          \
                vector_##suffix now = load_##suffix(copy_of(m, row) + at, bytes);                  \
                if (now[k] - now[k] != 0 && before[k] - before[k] == 0 &&                          \
                    at / sizeof(type) + k < bad->element) {                                        \
                    bad->element = at / sizeof(type) + k;                                          \
                    bad->row = row;                                                                \
                }                                                                                  \
            }                                                                                      \
    }                                                                                              \
    static ALWAYS void put_##suffix(const struct orrery_merged *m, struct lines_way way,           \
                                    size_t at, size_t bytes, vector_##suffix values) {             \
        memcpy(m->target + at, &values, bytes);                                                    \
        for (long row = 0; row < way.rows && !way.last; ++row)                                     \
            memcpy(copy_of(m, row) + at, &values, bytes);                                          \
    }                                                                                              \
    /* orrery_gain_next of elements that `several` rows changed; the gains themselves. */          \
    static ALWAYS whole_##suffix gains_##suffix(                                                   \
        const struct orrery_merged *m, struct lines_way way, size_t at, size_t bytes,              \
        whole_##suffix several, whole_##suffix counts, vector_##suffix sums) {                     \
        uint8_t packed[LEN_##suffix] = {0};                                                        \
        memcpy(packed, m->gains + at / sizeof(type), bytes / sizeof(type));                        \
        whole_##suffix old = unpack_##suffix(packed), most = {0};                                  \
        whole_##suffix power = old >> ORRERY_SIGN_BITS, before = old & ORRERY_SIGNS;               \
        whole_##suffix sign = (ORRERY_PLUS & (sums > 0)) | (ORRERY_MINUS & (sums < 0));            \
        whole_##suffix other = (sign != 0) & (before != 0) & (sign != before);                     \
        for (int two = 1; two < way.rows; two *= 2)                                                \
            most -= counts > two;                                                                  \
        power = (other & (power > 2) & (power - 2)) |                                              \
                (~other & (power - ((sign != 0) & (sign == before))));                             \
        power = ((power < most) & power) | (~(power < most) & most);                               \
        old = (several & (power << ORRERY_SIGN_BITS | sign)) | (~several & old);                   \
        pack_##suffix(packed, old);                                                                \
        memcpy(m->gains + at / sizeof(type), packed, bytes / sizeof(type));                        \
        if (orrery_is_cold(m, at))                                                                 \
            power -= power == 0;                                                                   \
        if (orrery_takes_mean(m, at))                                                              \
            power -= power;                                                                        \
        return (power - power + 1) << power;                                                       \
    }                                                                                              \
    /* As orrery_share has it, in all elements that several rows changed. Of two rows all of a \
     * cold line counts, and its gains are not looked at any more. */   \
    static ALWAYS void shares_##suffix(const struct orrery_merged *m, struct lines_way way,        \
                                       size_t at, size_t bytes, mask_##suffix changed,             \
                                       vector_##suffix sums, vector_##suffix before,               \
                                       vector_##suffix *values) {                                  \
        whole_##suffix counts = (whole_##suffix)changed, several = counts > 1;                     \
        whole_##suffix gain = counts - counts + 1;                                                 \
        bool scales = m->how->rule == ORRERY_RULE_SCALE;                                           \
        bool whole = scales && way.rows == 2 && !way.judges && orrery_is_cold(m, at);              \
        if (scales && !whole)                                                                      \
            gain = gains_##suffix(m, way, at, bytes, several, counts, sums);                       \
        if (m->how->rule != ORRERY_RULE_ADD && !whole) {                                           \
            vector_##suffix n = __builtin_convertvector(counts - (counts == 0), vector_##suffix);  \
            vector_##suffix part =                                                                 \
                way.rows == 2 ? sums * (type).5                                                    \
                              : sums / n * __builtin_convertvector(gain, vector_##suffix);         \
            sums = pick_##suffix((mask_##suffix)(gain >= counts), sums, part);                     \
        }                                                                                          \
        *values = pick_##suffix((mask_##suffix)several, before + sums, *values);                   \
    }                                                                                              \
    /* How many rows changed each. */                                                              \
    static ALWAYS mask_##suffix merge_##suffix(const struct orrery_merged *m,                      \
                                               struct lines_way way, size_t at, size_t bytes,      \
                                               struct lines_share *found) {                        \
        vector_##suffix before = load_##suffix(m->snapshot + at, bytes), values = before;          \
        vector_##suffix sums = {0};                                                                \
        mask_##suffix counts = {0}, bad = {0}, differ = {0};                                       \
        for (long row = 0; row < way.rows; ++row)                                                  \
            differ |=                                                                              \
                (mask_##suffix)load_##suffix(copy_of(m, row) + at, bytes) ^ (mask_##suffix)before; \
        if (!any_of((mask_f64)differ))                                                             \
            return counts;                                                                         \
        for (long row = 0; row < way.rows; ++row) {                                                \
            vector_##suffix now = load_##suffix(copy_of(m, row) + at, bytes);                      \
            mask_##suffix changed = (mask_##suffix)((mask_##suffix)now != (mask_##suffix)before);  \
            vector_##suffix change = now - before;                                                 \
            vector_##suffix sum =                                                                  \
                pick_##suffix((mask_##suffix)(counts == 0), change, sums + change);                \
            sums = pick_##suffix(changed, sum, sums);                                              \
            values = pick_##suffix(changed, now, values);                                          \
            counts -= changed;                                                                     \
            bad |= (mask_##suffix)(now - now != 0);                                                \
        }                                                                                          \
        if (any_of((mask_f64)bad))                                                                 \
            look_##suffix(way.job->m, at, bytes, &way.job->bad[way.worker]);                       \
        if (any_of((mask_f64)(counts > 1)))                                                        \
            shares_##suffix(m, way, at, bytes, counts, sums, before, &values);                     \
        vector_##suffix change = values - before;                                                  \
        change = pick_##suffix((mask_##suffix)(change < 0), -change, change);                      \
        found->suffix.most = pick_##suffix((mask_##suffix)(change > found->suffix.most), change,   \
                                           found->suffix.most);                                    \
        found->suffix.changes += counts;                                                           \
        found->suffix.elements -= (mask_##suffix)(counts != 0);                                    \
        put_##suffix(m, way, at, bytes, values);                                                   \
        return counts;                                                                             \
    }                                                                                              \
    static ALWAYS void line_##suffix(const struct orrery_merged *m, struct lines_way way,          \
                                     size_t line, struct lines_share *found) {                     \
        size_t begin = line * ORRERY_MARKED, end = begin + ORRERY_MARKED;                          \
        uint64_t changes = 0, full = 0;                                                            \
        for (size_t at = begin; at < end && at < m->bytes; at += VECTOR) {                         \
            mask_##suffix counts = m->bytes - at >= VECTOR                                         \
                                       ? merge_##suffix(m, way, at, VECTOR, found)                 \
                                       : merge_##suffix(m, way, at, m->bytes - at, found);         \
            for (int k = 0; k < LEN_##suffix && way.judges; ++k) {                                 \
                changes += counts[k];                                                              \
                full += counts[k] == (size_t)way.rows ? counts[k] : 0;                             \
            }                                                                                      \
        }                                                                                          \
        if (way.judges)                                                                            \
            m->is_hot[line] = orrery_is_hot(changes, full);                                        \
    }

LINES(f32, float)
LINES(f64, double)

static ALWAYS void line_merge(const struct orrery_merged *m, struct lines_way way, size_t line,
                              struct lines_share *found) {
    if (m->what->type == ORRERY_F32)
        line_f32(m, way, line, found);
    else
        line_f64(m, way, line, found);
}

/* What the lines so far have had of it. */
static uint64_t total_of(const mask_f32 *f32, const mask_f64 *f64) {
    uint64_t total = 0;
    for (int k = 0; k < LEN_f32; ++k)
        total += (*f32)[k];
    for (int k = 0; k < LEN_f64; ++k)
        total += (*f64)[k];
    return total;
}

/* ---- which lines ----------------------------------------------------------------------------- */

/* Has any row marks among ORRERY_MARKED lines? Not any more. */
static bool front_take(const struct orrery_merged *m, size_t group) {
    bool any = false;
    for (long row = 0; row < m->ncopies; ++row) {
        _Bool *front = orrery_merged_marks_at(m, row) - 1 - group;
        any |= *front;
        *front = 0;
    }
    return any;
}

/* The marks of eight lines, in all rows. */
static uint64_t marks_take(const struct orrery_merged *m, size_t line) {
    uint64_t all = 0;
    for (long row = 0; row < m->ncopies; ++row) {
        uint64_t eight;
        _Bool *marks = orrery_merged_marks_at(m, row) + line;
        memcpy(&eight, marks, sizeof eight);
        if (eight)
            memset(marks, 0, sizeof eight);
        all |= eight;
    }
    return all;
}

static ALWAYS void group_merge(const struct orrery_merged *m, struct lines_way way, size_t group,
                               struct lines_share *found) {
    size_t lines = m->stride / ORRERY_MARKED, begin = group * ORRERY_MARKED;
    size_t end = begin + ORRERY_MARKED < lines ? begin + ORRERY_MARKED : lines;
    bool marked = way.job->marked;
    if (marked && !front_take(way.job->m, group))
        return;
    for (size_t line = begin; line < end; line += 8) {
        uint64_t eight = marked ? marks_take(way.job->m, line) : UINT64_MAX;
        for (size_t k = 0; eight && k < 8 && line + k < end; ++k)
            if (eight >> 8 * k & 1)
                line_merge(m, way, line + k, found);
    }
}

/* Groups in turn: those that rows touch most often stand together. What is kept here stays in
 * registers: no store of an element can change it. */
static ALWAYS void share_work(struct lines_way way) {
    const struct lines_job *job = way.job;
    const struct orrery_merged here = *job->m, *m = &here;
    size_t lines = m->stride / ORRERY_MARKED, groups = (lines - 1) / ORRERY_MARKED + 1;
    size_t ngroups = m->hot_only ? 0 : groups, nhot = m->hot_only ? m->nhot : 0;
    struct lines_share found = {0};
    job->bad[way.worker].element = SIZE_MAX;
    for (size_t k = (size_t)way.worker; k < nhot; k += (size_t)job->workers)
        line_merge(m, way, m->hot[k], &found);
    for (size_t g = (size_t)way.worker; g < ngroups; g += (size_t)job->workers)
        group_merge(m, way, g, &found);
    job->shares[way.worker] = found;
}

/* What chooses a clone runs before a sanitizer is ready. */
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

/* Of two rows, which are the default of large arrays, most merges have code of their own. */
CLONES static void lines_work(void *data, int worker) {
    const struct lines_job *job = data;
    if (worker >= job->workers)
        return;
    if (job->m->ncopies == 2 && !job->judges)
        share_work((struct lines_way){job, worker, 2, false, job->last});
    else
        share_work((struct lines_way){job, worker, job->m->ncopies, job->judges, job->last});
}

static double most_of(const struct lines_share *found) {
    double most = 0;
    for (int k = 0; k < LEN_f32; ++k)
        most = (double)found->f32.most[k] > most ? (double)found->f32.most[k] : most;
    for (int k = 0; k < LEN_f64; ++k)
        most = found->f64.most[k] > most ? found->f64.most[k] : most;
    return most;
}

/* Copies of fewer bytes are no work for more than one. */
enum { LITTLE = 1 << 17 };

void orrery_merge_lines(struct orrery_region *region, struct orrery_merged *m, bool last) {
    struct orrery_merge *merge = region->merge;
    struct lines_job job = {.m = m,
                            .judges = m->cools && region->phase == 0,
                            .last = last,
                            .marked = orrery_merged_has_marks(region, m)};
    size_t bytes = m->hot_only ? m->nhot * ORRERY_MARKED : m->bytes;
    job.workers = (size_t)m->ncopies * bytes < LITTLE ? 1 : merge->workers;
    job.shares = orrery_memory_aligned((size_t)job.workers * sizeof *job.shares);
    job.bad = orrery_memory_aligned((size_t)job.workers * sizeof *job.bad);
    if (job.workers == 1)
        lines_work(&job, 0);
    else
        orrery_workers_run(lines_work, &job);
    size_t bad = SIZE_MAX;
    long row = 0;
    uint64_t each = m->what->size + sizeof *m->result.at;
    for (int w = 0; w < job.workers; ++w) {
        const struct lines_share *found = &job.shares[w];
        double most = most_of(found);
        m->most = most > m->most ? most : m->most;
        merge->sent += each * total_of(&found->f32.changes, &found->f64.changes);
        merge->back += each * total_of(&found->f32.elements, &found->f64.elements);
        row = job.bad[w].element < bad ? job.bad[w].row : row;
        bad = job.bad[w].element < bad ? job.bad[w].element : bad;
    }
    orrery_memory_free(job.shares);
    orrery_memory_free(job.bad);
    if (job.judges)
        orrery_hot_list(m);
    if (bad != SIZE_MAX)
        orrery_merge_refuse(region, m, bad, row, "infinite or not a number");
}
