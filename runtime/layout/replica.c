#include "runtime/layout/replica.h"

#include "runtime/layout/layout.h"

#include <string.h>

/* Ranges being collected. */
struct ranges {
    struct dsm_range *all;
    int n, room;
};

static void add(struct ranges *ranges, const char *low, const char *high) {
    if (ranges->n && low >= ranges->all[ranges->n - 1].low &&
        high <= ranges->all[ranges->n - 1].high)
        return;
    if (ranges->n == ranges->room) {
        ranges->room = ranges->room ? 2 * ranges->room : 4;
        ranges->all = dsm_own_realloc(ranges->all, (size_t)ranges->room * sizeof *ranges->all);
    }
    ranges->all[ranges->n++] = (struct dsm_range){low, high};
}

static _Noreturn void unknown(const struct orrery_state *state, int a, const char *what) {
    const struct orrery_array *array = &state->loop->arrays[a];
    dsm_refuse(1,
               "%s: the size of %s%s (%s), which every rank needs, is not known%s; allocate it "
               "with malloc, say extent(%s : n) in the pragma, or run it on one rank",
               state->where, what, array->name, array->where, dsm_stripped_words(), array->name);
}

/* The rows behind a table of tables, which are arrays of the loop themselves. */
static void add_nested(const struct orrery_state *state, int a, struct ranges *ranges) {
    const struct orrery_shape *shape = &state->shapes[a];
    char *base;
    size_t bytes;
    if (shape->pieces == 0)
        unknown(state, a, "the tables of ");
    for (long i = 0; i < shape->pieces; ++i) {
        const char *row = *orrery_table_entry(shape, i);
        if (row && !dsm_find(row, &base, &bytes))
            unknown(state, a, "a row of ");
        if (row)
            add(ranges, base, base + bytes);
    }
}

/* The entries of a table that count: `pieces` says it for one that is not cut (orrery_shape). */
static long entries_said(const struct orrery_state *state, int a) {
    return orrery_layout_of(state->loop, a) < 0 ? state->shapes[a].pieces : 0;
}

/* Of an array that would be cut if its rows were alike: does the loop come to this entry? Others may
 * hold anything. */
static bool is_used(const struct orrery_state *state, int a, long entry) {
    const int d = orrery_layout_of(state->loop, a);
    if (d < 0 || d == ORRERY_ITERATIONS || !orrery_layout_is_whole(state, a))
        return true;
    const struct orrery_dim *dim = &orrery_dims_of(state)[d];
    const long v = entry - state->shapes[a].table_offset - dim->low;
    return v >= 0 && v < orrery_dim_range(dim) && orrery_dim_has(dim, v);
}

/* Every row behind a table, as far as the table's own allocation goes. */
static void add_rows(const struct orrery_state *state, int a, struct ranges *ranges) {
    const struct orrery_shape *shape = &state->shapes[a];
    char *base;
    size_t bytes;
    if (shape->tables > 1) {
        add_nested(state, a, ranges);
        return;
    }
    if (!dsm_find(shape->table, &base, &bytes))
        unknown(state, a, "the table ");
    if (!orrery_layout_table_comes(state, a))
        add(ranges, base, base + bytes);
    long step = orrery_table_step(shape), before = ((char *)shape->table - base) / step;
    long there = (base + (long)bytes - (char *)shape->table + step - (long)sizeof(char *)) / step;
    const long said = entries_said(state, a);
    bool counted = said > 0 && there > said;
    for (long i = counted ? 0 : -before; i < (counted ? said : there); ++i) {
        const char *row = is_used(state, a, i) ? *orrery_table_entry(shape, i) : NULL;
        if (!row)
            continue;
        if (!dsm_find(row, &base, &bytes))
            unknown(state, a, "a row of ");
        add(ranges, base, base + bytes);
    }
}

void orrery_there_check(const struct orrery_state *state, int a, struct dsm_range range) {
    const struct orrery_array *array = &state->loop->arrays[a];
    size_t bytes, wanted = (size_t)(range.high - range.low);
    char *base;
    bool known = dsm_find(range.low, &base, &bytes) && range.high <= base + bytes;
    if (!known && !orrery_readable(range.low, wanted))
        dsm_refuse(1,
                   "%s: the memory of %s (%s), which other ranks need a copy of, is not all there; "
                   "hand over NULL for what this run does not use, or run it on one rank",
                   state->where, array->name, array->where);
}

static void add_array(const struct orrery_state *state, int a, struct ranges *ranges) {
    const struct orrery_shape *shape = &state->shapes[a];
    if (shape->table) {
        add_rows(state, a, ranges);
        return;
    }
    size_t extent = orrery_shape_extent(shape);
    if (!extent)
        unknown(state, a, "");
    orrery_there_check(state, a, (struct dsm_range){shape->base, shape->base + extent});
    add(ranges, shape->base, shape->base + extent);
}

static bool same_ranges(const struct orrery_replica *replica, const struct ranges *ranges) {
    return replica->nranges == ranges->n &&
           memcmp(replica->ranges, ranges->all, (size_t)ranges->n * sizeof *ranges->all) == 0;
}

static bool all_shared(const struct ranges *ranges) {
    for (int i = 0; i < ranges->n; ++i)
        if (!dsm_is_shared(ranges->all[i].low))
            return false;
    return true;
}

void orrery_replica_look(const struct orrery_state *state, int a, const struct dsm_range *table,
                         struct orrery_replica *replica) {
    const struct orrery_array *array = &state->loop->arrays[a];
    struct ranges ranges = {0};
    if (table)
        add(&ranges, table->low, table->high);
    else
        add_array(state, a, &ranges);
    bool shared = all_shared(&ranges);
    if (!shared && (array->base_offset < 0 || ranges.n != 1 || table))
        dsm_refuse(
            1,
            "%s: %s (%s) lies in memory that only rank 0 has, and its place cannot be changed "
            "for the loop; allocate it with malloc or make it static, or run it on one rank",
            state->where, array->name, array->where);
    replica->wanted = !replica->sent || !replica->watch || !same_ranges(replica, &ranges) ||
                      dsm_watch_changed(replica->watch);
    if (!replica->wanted) {
        dsm_own_free(ranges.all);
        return;
    }
    orrery_replica_free(replica);
    *replica = (struct orrery_replica){.nranges = ranges.n,
                                       .wanted = 1,
                                       .ranges = ranges.all,
                                       .substituted = !shared,
                                       .written = !table && array->written};
    replica->watch = dsm_watch_start(ranges.n, ranges.all);
}

static void ranges_receive(struct orrery_replica *replica) {
    struct {
        int nranges, substituted, written;
    } head = {replica->nranges, replica->substituted, replica->written};
    dsm_broadcast(&head, sizeof head);
    if (dsm_rank() != 0) {
        orrery_replica_free(replica);
        replica->nranges = head.nranges;
        replica->substituted = head.substituted;
        replica->written = head.written;
        replica->ranges = dsm_own_alloc((size_t)(head.nranges + 1) * sizeof *replica->ranges);
    }
    dsm_broadcast(replica->ranges, (size_t)replica->nranges * sizeof *replica->ranges);
}

void orrery_replica_send(struct orrery_replica *replica) {
    static unsigned long stamps;
    ranges_receive(replica);
    replica->stamp = ++stamps;
    replica->sent = true;
    for (int i = 0; i < replica->nranges; ++i) {
        char *low = (char *)replica->ranges[i].low;
        size_t bytes = (size_t)(replica->ranges[i].high - replica->ranges[i].low);
        if (dsm_is_constant(low))
            continue;
        if (dsm_rank() == 0 && !replica->substituted)
            dsm_watch_sent(low, low + bytes);
        if (dsm_rank() != 0 && replica->substituted)
            low = replica->own = dsm_own_alloc(bytes);
        if (replica->substituted)
            dsm_broadcast(low, bytes);
        else
            dsm_replicate(low, bytes, replica->written);
    }
}

void orrery_replica_stale(struct orrery_replica *replica) {
    if (replica->watch)
        dsm_watch_end(replica->watch);
    replica->watch = NULL;
}

void orrery_replica_free(struct orrery_replica *replica) {
    orrery_replica_stale(replica);
    dsm_own_free(replica->ranges);
    dsm_own_free(replica->own);
    *replica = (struct orrery_replica){0};
}
