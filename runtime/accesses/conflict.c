/* Iterations that met: one record per loop, kind, pair of places and variable. */
#include "runtime/accesses/watch.h"

enum { RECORDS = 1 << 16, OF_A_LOOP = 512, KNOWN = 1 << 12 };

/* No stack is larger. */
#define STACK ((uintptr_t)1 << 30)

static struct conflict records[RECORDS];
static size_t nrecords;
static struct conflict *known[KNOWN];

/* The variable of the loop's mark that holds a byte, -1: none. */
static int variable_of(const struct watch_level *level, uintptr_t at) {
    for (int i = 0; i < level->nvariables; ++i)
        if (at - level->variables[i].at < level->variables[i].size)
            return i;
    return -1;
}

/* On the stack below the function that holds the loop, or in it: an iteration's own, since what the
 * function declares outside of the loop is named by the mark. */
static bool is_own(const struct watch_level *level, uintptr_t at) {
    char here;
    return at < level->frame && at >= (uintptr_t)&here - 128;
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

static void note(int level, enum conflict_kind kind, uintptr_t at, uint32_t time, uint32_t source,
                 uint32_t sink) {
    const struct watch_level *l = &watch_levels[level];
    struct conflict wanted = {.loop = l->loop, .kind = kind, .source = source, .sink = sink};
    wanted.variable = variable_of(l, at);
    if (wanted.variable < 0 && is_own(l, at))
        return;
    struct conflict *record = record_of(&wanted);
    if (!record) {
        ++l->loop->dropped;
        return;
    }
    bool again = record->count > 0 && record->touch == watch.touches;
    record->count += !again;
    record->touch = watch.touches;
    record->instance = l->loop->instances;
    bound(l, record, at);
    known[known_slot(l->loop, kind, source, sink)] = record;
    if (record->count > 1 || again)
        return;
    record->at = at;
    record->iterations[0] = watch_number(l, time);
    record->iterations[1] = (int64_t)l->count - 1;
    if (!shadow_block_find(at, &record->block, &record->block_size, &record->block_site))
        record->block = 0;
}

bool conflict_known(int level, enum conflict_kind kind, uintptr_t at, uint32_t source,
                    uint32_t sink) {
    const struct watch_level *l = &watch_levels[level];
    struct conflict *record = known[known_slot(l->loop, kind, source, sink)];
    if (!record || record->loop != l->loop || record->kind != kind || record->source != source ||
        record->sink != sink || record->instance != l->loop->instances ||
        at - record->low >= record->high - record->low)
        return false;
    record->count += record->touch != watch.touches;
    record->touch = watch.touches;
    return true;
}

/* Calls that the compiler makes of copies below are not the program's. */
void conflict_met(int level, enum conflict_kind kind, uintptr_t at, uint32_t time, uint32_t source,
                  uint32_t sink) {
    bool on = watch.on;
    watch.on = false;
    note(level, kind, at, time, source, sink);
    watch.on = on;
}

const struct conflict *conflict_at(size_t i) {
    static size_t at;
    at = i == 0 ? 0 : at;
    while (at < RECORDS && !records[at].loop)
        ++at;
    return at < RECORDS ? &records[at++] : NULL;
}
