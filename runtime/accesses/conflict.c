/* Iterations that met: one record per loop, kind, pair of places and variable. */
#include "runtime/accesses/watch.h"

enum { RECORDS = 1 << 16, OF_A_LOOP = 512, KNOWN = 1 << 12 };

/* No stack is larger. */
#define STACK ((uintptr_t)1 << 30)

static struct conflict records[RECORDS];
static size_t nrecords;
static struct conflict *known[KNOWN];

struct conflict_journal conflict_journal;
struct conflict_hit conflict_hits[CONFLICT_OUTPUT + 1][CONFLICT_HITS];

static uint64_t serial_of(const struct watch_level *level) {
    return watch.spans[level - watch_levels].serial;
}

/* The variable of the loop's mark that holds a byte, -1: none. */
static int variable_of(const struct watch_level *level, uintptr_t at) {
    for (int i = 0; i < level->nvariables; ++i)
        if (at - level->variables[i].at < level->variables[i].size)
            return i;
    return -1;
}

/* On the stack below the function that holds the loop, or in it: an iteration's own, since what the
 * function declares outside of the loop is named by the mark. What is noted late may have happened
 * in functions that have been left. */
static bool is_own(const struct watch_level *level, uintptr_t at) {
    char here;
    uintptr_t low = watch.late ? level->frame - watch_reach(level->frame) : (uintptr_t)&here - 128;
    return at < level->frame && at >= low;
}

static inline size_t known_slot(const struct watch_loop *loop, enum conflict_kind kind,
                                uint32_t source, uint32_t sink) {
    return ((uintptr_t)loop / sizeof *loop * 31 + source * 7 + sink * 3 + (size_t)kind) % KNOWN;
}

/* Where an address must lie to be in the same record as one before: in the same variable, or far
 * from the stack and between the same two variables. */
static void bound(const struct watch_level *level, struct conflict *record, uintptr_t at) {
    uintptr_t stack = level->frame > STACK ? level->frame - STACK : 0;
    record->low = at < stack ? 0 : at;
    record->high = at < stack ? stack : at + 1;
    for (int i = 0; i < level->nvariables; ++i) {
        uintptr_t begin = level->variables[i].at, end = begin + level->variables[i].size;
        if (i == record->variable) {
            record->low = begin;
            record->high = end;
            return;
        }
        if (end <= at && end > record->low)
            record->low = end;
        if (begin > at && begin < record->high)
            record->high = begin;
    }
}

static size_t hash(const struct conflict *c) {
    uint64_t h = (uint64_t)(uintptr_t)c->loop;
    h = (h ^ c->source) * 0x9e3779b97f4a7c15u;
    h = (h ^ c->sink ^ (uint64_t)(unsigned)c->variable << 32) * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint64_t)c->kind) * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 40);
}

static bool same(const struct conflict *a, const struct conflict *b) {
    return a->loop == b->loop && a->kind == b->kind && a->variable == b->variable &&
           a->source == b->source && a->sink == b->sink;
}

/* The record of this conflict, a new one (count 0), or NULL: there is no room. */
static struct conflict *record_of(const struct conflict *wanted) {
    for (size_t i = hash(wanted) % RECORDS;; i = (i + 1) % RECORDS) {
        struct conflict *record = &records[i];
        if (record->loop && same(record, wanted))
            return record;
        if (record->loop)
            continue;
        if (nrecords > RECORDS / 4 * 3 || wanted->loop->records >= OF_A_LOOP)
            return NULL;
        ++nrecords;
        ++wanted->loop->records;
        *record = *wanted;
        return record;
    }
}

/* ---- how far apart --------------------------------------------------------------------------- */

static uint32_t start_of(const struct watch_level *level, int64_t number) {
    return level->starts[number % WATCH_RING];
}

/* Subscripts made of keys further apart may wrap: a run refuses such keys. */
static bool are_near(int64_t a, int64_t b) {
    int64_t apart;
    return a != WATCH_NO_KEY && b != WATCH_NO_KEY && !__builtin_sub_overflow(a, b, &apart) &&
           apart <= INT32_MAX && apart >= -INT32_MAX;
}

static uint32_t compare_keys(int depth, int64_t from, int64_t to) {
    int count = watch_levels[depth].nkeys;
    if (count == 0 || from < 0)
        return 0;
    const int64_t *a = watch_keys(depth, from), *b = watch_keys(depth, to);
    uint32_t keys = 0;
    for (int k = 0; k < count; ++k) {
        for (int l = 0; a[k] != WATCH_NO_KEY && l < count; ++l)
            keys |= (uint32_t)(a[k] == b[l]) << (CONFLICT_CROSS + WATCH_KEYS * k + l);
        if (are_near(a[k], b[k]))
            keys |= (a[k] == b[k] ? 1u : a[k] < b[k] ? 2u : 3u) << 2 * k;
    }
    return keys;
}

/* The record's vector of a distance and keys; those of distance 0 are for all for which there is no
 * other. */
static int vector_of(struct conflict *record, int64_t distance, uint32_t keys) {
    int i = 0;
    while (i < record->nvectors &&
           (record->vectors[i].distance != distance || record->vectors[i].keys != keys))
        ++i;
    if (i == record->nvectors && i >= CONFLICT_EXACT && distance != 0)
        return vector_of(record, 0, keys);
    if (i == CONFLICT_VECTORS)
        return CONFLICT_VECTORS - 1;
    if (i == record->nvectors)
        record->vectors[record->nvectors++] =
            (struct conflict_vector){.distance = distance, .keys = keys};
    return i;
}

/* Which iterations these are, and where they are counted. Sets `hit->time` and `hit->length`: when
 * the earlier one began, and how long it took. */
static struct conflict_vector *measure(int depth, struct conflict *record, uintptr_t at,
                                       uint32_t time, struct conflict_hit *hit) {
    const struct watch_level *level = &watch_levels[depth];
    hit->time = time;
    int64_t from = watch_number(level, time, &hit->time), to = (int64_t)level->count - 1;
    hit->length = from < 0 ? 1 : start_of(level, from + 1) - hit->time;
    int last = vector_of(record, from < 0 ? 0 : to - from, compare_keys(depth, from, to));
    struct conflict_vector *vector = &record->vectors[last];
    if (vector->count > 0)
        return vector;
    vector->at = at;
    vector->iterations[0] = from;
    vector->iterations[1] = to;
    return vector;
}

/* ---- meeting --------------------------------------------------------------------------------- */

/* The first time in this instance of the loop, or in another part of memory. */
static __attribute__((noinline)) struct conflict *
find(const struct watch_level *level, const struct conflict *key, uintptr_t at, bool *own) {
    struct conflict wanted = *key;
    wanted.variable = variable_of(level, at);
    *own = wanted.variable < 0 && is_own(level, at);
    if (*own)
        return NULL;
    struct conflict *record = record_of(&wanted);
    if (!record) {
        ++level->loop->dropped;
        return NULL;
    }
    record->serial = serial_of(level);
    bound(level, record, at);
    if (record->nvectors == 0 &&
        !block_find(at, &record->block, &record->block_size, &record->block_site))
        record->block = 0;
    return record;
}

static struct conflict *record_at(const struct watch_level *level, enum conflict_kind kind,
                                  uintptr_t at, uint32_t source, uint32_t sink, bool *own) {
    struct conflict **slot = &known[known_slot(level->loop, kind, source, sink)];
    struct conflict *record = *slot;
    if (record && record->serial == serial_of(level) && record->kind == kind &&
        record->source == source && record->sink == sink &&
        at - record->low < record->high - record->low)
        return record;
    const struct conflict key = {.loop = level->loop, .kind = kind, .source = source, .sink = sink};
    record = find(level, &key, at, own);
    if (record)
        *slot = record;
    return record;
}

void conflict_met(const struct watch_span *span, enum conflict_kind kind, uintptr_t at,
                  uint32_t time, uint32_t source, uint32_t sink, uint32_t written) {
    int depth = (int)(span - watch.spans);
    const struct watch_level *level = &watch_levels[depth];
    uint32_t start = span->previous;
    bool just = time >= start && level->count > 1;
    if (kind == CONFLICT_ANTI && !just)
        watch_number(level, time, &start);
    bool own = kind == CONFLICT_ANTI && written >= (start < time ? start : time);
    bool of_iteration = false;
    struct conflict *record =
        record_at(level, own ? CONFLICT_ANTI_OWN : kind, at, source, sink, &of_iteration);
    struct conflict_hit hit = {.source = source,
                               .sink = sink,
                               .low = at,
                               .size = 1,
                               .serial = span->serial,
                               .iteration = span->iteration,
                               .span = span,
                               .own = own,
                               .record = record};
    if (of_iteration)
        *conflict_hit_of(kind, source, sink) = hit;
    if (!record)
        return;
    hit.low = record->low;
    hit.size = record->high - record->low;
    struct conflict_vector *vector = measure(depth, record, at, time, &hit);
    hit.just = vector->distance == 1 && level->nkeys == 0;
    record->counted = &vector->count;
    conflict_count(record);
    *conflict_hit_of(kind, source, sink) = hit;
}

const struct conflict *conflict_at(size_t i) {
    static size_t at;
    at = i == 0 ? 0 : at;
    while (at < RECORDS && !records[at].loop)
        ++at;
    return at < RECORDS ? &records[at++] : NULL;
}
