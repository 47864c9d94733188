#include "runtime/execute/exchange.h"

#include "runtime/base/commands.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/levels.h"
#include "runtime/layout/layout.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Element `unit` of touched object `object`. */
struct item {
    long object, unit;
};

struct room {
    char *at;
    size_t bytes;
};

/* Where an item is on this rank. */
struct place {
    char *at;
    size_t bytes;
};

/* Bytes [low, high) of array a. */
struct stretch {
    int a;
    char *low, *high;
};

/* What columns of levels change, on several ranks. */
struct orrery_exchange {
    long columns;        /* of the grid, each a step of the exchange */
    int ranks, ntouched; /* of the job; objects that iterations touch */
    long *starts; /* rank r may write items [starts[c * ranks + r], starts[... + 1]) in column c, */
    struct item *items;           /* each once, rising by object and unit */
    struct orrery_unit *units;    /* of this region, as `extents` */
    long *extents;                /* per touched object its bytes from `base` */
    bool placed;                  /* there was a region; of it: */
    struct dsm_range **rows;      /* per touched object its rows as far as they are allocated, */
    int *nrows;                   /* ... rising; 0: their length is in the unit */
    struct place *places;         /* of the items */
    size_t *sizes;                /* of the buckets */
    struct room told, heard;      /* this rank's bytes of one column, and another's */
    struct dsm_request **leaving; /* per rank: what is under way to it */
    struct stretch *stretches;    /* of one call */
    long nstretches, most;        /* of `stretches`, and room for so many */
};

void orrery_exchange_check(const struct orrery_state *state, const void *env) {
    const struct orrery_loop *loop = state->loop;
    struct orrery_unit units[loop->ntouched + 1];
    if (state->inspection->levels->hots)
        dsm_refuse(1,
                   "%s: hot rows have copies on one rank only (threads work); leave out "
                   "relax(hot) on several",
                   state->where);
    loop->units(env, units);
    for (int a = 0; a < loop->narrays; ++a) {
        const struct orrery_array *array = &loop->arrays[a];
        bool known = !array->written || array->placement == ORRERY_ALIGNED;
        for (int t = 0; t < loop->ntouched; ++t)
            known |=
                units[t].array == a && (units[t].base || !orrery_shape_exists(&state->shapes[a]));
        if (!known)
            dsm_refuse(
                1,
                "%s: by levels on several ranks only arrays can be changed whose rows are in one "
                "piece and that iterations conflict through; %s (%s) is not; run it on one rank "
                "(threads work)",
                state->where, array->name, array->where);
    }
}

void orrery_exchange_extents(const struct orrery_state *state, const void *env, long *extents) {
    const struct orrery_loop *loop = state->loop;
    struct orrery_unit units[loop->ntouched + 1];
    loop->units(env, units);
    for (int t = 0; t < loop->ntouched; ++t)
        extents[t] = units[t].base && !units[t].table
                         ? (long)orrery_shape_extent(&state->shapes[units[t].array])
                         : 0;
}

/* ---- the lists ------------------------------------------------------------------------------- */

struct build {
    const struct orrery_state *state;
    const void *env;
    struct orrery_exchange *exchange;
    struct orrery_touches list;
    struct item *items;
    long count, room;
    const struct orrery_unit *units;
};

static void list_grow(struct orrery_touches *list) {
    list->room = list->room ? 2 * list->room : 64;
    list->items = dsm_own_realloc(list->items, (size_t)list->room * sizeof *list->items);
}

static bool is_same(const struct item *a, const struct item *b) {
    return a->object == b->object && a->unit == b->unit;
}

/* Ranks have an array from where its pointer leads on: what lies in front is not theirs. */
static void check_in_front(const struct build *build, const struct orrery_touch *touch) {
    const struct orrery_unit *unit = &build->units[touch->object];
    const struct orrery_state *state = build->state;
    if (unit->base && !unit->table && unit->origin + touch->unit * unit->stride < 0)
        dsm_refuse(1,
                   "%s: by levels on several ranks no element can be touched that lies in front of "
                   "where its pointer leads; %s[%ld] does; run it on one rank (threads work)",
                   state->where, state->loop->touched[touch->object], touch->unit);
}

static void add(struct build *build, const struct orrery_touch *touch, long first) {
    const struct item item = {touch->object, touch->unit};
    if (!touch->written ||
        (build->count > first && is_same(&build->items[build->count - 1], &item)))
        return;
    if (build->count == build->room) {
        build->room = build->room ? 2 * build->room : 1024;
        build->items = dsm_own_realloc(build->items, (size_t)build->room * sizeof *build->items);
    }
    build->items[build->count++] = item;
}

static void add_block(struct build *build, long row, long column, long first) {
    const struct orrery_levels *levels = build->state->inspection->levels;
    const long *start = &levels->starts[row * levels->columns + column];
    for (long place = start[0]; place < start[1]; ++place) {
        build->list.count = 0;
        build->state->loop->touches(build->env, levels->order[place], &build->list, NULL);
        for (long n = 0; n < build->list.count; ++n) {
            check_in_front(build, &build->list.items[n]);
            add(build, &build->list.items[n], first);
        }
    }
}

static int by_unit(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    long p = x->object != y->object ? x->object : x->unit;
    long q = x->object != y->object ? y->object : y->unit;
    return (p > q) - (p < q);
}

/* From item `first` on. */
static void items_settle(struct build *build, long first) {
    struct item *items = build->items + first;
    long n = build->count - first, kept = 0;
    if (n < 2)
        return;
    qsort(items, (size_t)n, sizeof *items, by_unit);
    for (long i = 0; i < n; ++i)
        if (kept == 0 || !is_same(&items[i], &items[kept - 1]))
            items[kept++] = items[i];
    build->count = first + kept;
}

static void lists_make(struct build *build) {
    struct orrery_exchange *exchange = build->exchange;
    long rows = build->state->inspection->levels->rows;
    for (long column = 0; column < exchange->columns; ++column)
        for (int rank = 0; rank < exchange->ranks; ++rank) {
            long first = build->count;
            exchange->starts[column * exchange->ranks + rank] = first;
            for (long row = orrery_first_row_of(rank, rows);
                 row < orrery_first_row_of(rank + 1, rows); ++row)
                add_block(build, row, column, first);
            items_settle(build, first);
        }
    exchange->starts[exchange->columns * exchange->ranks] = build->count;
    exchange->items = build->items;
    dsm_own_free(build->list.items);
}

struct orrery_exchange *orrery_exchange_new(const struct orrery_state *state, const void *env) {
    struct orrery_exchange *exchange = orrery_memory_aligned(sizeof *exchange);
    long columns = dsm_rank() == 0 ? state->inspection->levels->columns : 0;
    dsm_broadcast(&columns, sizeof columns);
    exchange->columns = columns;
    exchange->ranks = dsm_ranks();
    exchange->ntouched = state->loop->ntouched;
    size_t buckets = (size_t)columns * (size_t)exchange->ranks + 1;
    size_t objects = (size_t)exchange->ntouched + 1;
    exchange->starts = dsm_own_alloc(buckets * sizeof *exchange->starts);
    exchange->leaving = dsm_own_alloc((size_t)exchange->ranks * sizeof *exchange->leaving);
    exchange->units = dsm_own_alloc(objects * sizeof *exchange->units);
    exchange->extents = dsm_own_alloc(objects * sizeof *exchange->extents);
    exchange->rows = orrery_memory_aligned(objects * sizeof *exchange->rows);
    exchange->nrows = dsm_own_alloc(objects * sizeof *exchange->nrows);
    if (dsm_rank() == 0) {
        struct orrery_unit units[objects];
        state->loop->units(env, units);
        struct build build = {.state = state,
                              .env = env,
                              .exchange = exchange,
                              .list = {.grow = list_grow},
                              .units = units};
        lists_make(&build);
    }
    dsm_broadcast(exchange->starts, buckets * sizeof *exchange->starts);
    size_t bytes = (size_t)exchange->starts[buckets - 1] * sizeof *exchange->items;
    if (dsm_rank() != 0)
        exchange->items = dsm_own_alloc(bytes + 1);
    dsm_broadcast(exchange->items, bytes);
    exchange->places =
        dsm_own_alloc((size_t)exchange->starts[buckets - 1] * sizeof *exchange->places + 1);
    exchange->sizes = dsm_own_alloc(buckets * sizeof *exchange->sizes);
    return exchange;
}

void orrery_exchange_free(struct orrery_exchange *exchange) {
    if (!exchange)
        return;
    for (int t = 0; t < exchange->ntouched; ++t)
        dsm_own_free(exchange->rows[t]);
    orrery_memory_free(exchange->rows);
    dsm_own_free(exchange->nrows);
    dsm_own_free(exchange->starts);
    dsm_own_free(exchange->items);
    dsm_own_free(exchange->units);
    dsm_own_free(exchange->extents);
    dsm_own_free(exchange->places);
    dsm_own_free(exchange->sizes);
    dsm_own_free(exchange->told.at);
    dsm_own_free(exchange->heard.at);
    dsm_own_free(exchange->leaving);
    dsm_own_free(exchange->stretches);
    orrery_memory_free(exchange);
}

/* ---- the bytes ------------------------------------------------------------------------------- */

static int by_low(const void *a, const void *b) {
    const struct dsm_range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

/* Rows that are as long as their allocations: every rank has these as replicas. */
static void rows_find(struct orrery_exchange *exchange, const struct orrery_replica *replicas) {
    for (int t = 0; t < exchange->ntouched; ++t) {
        const struct orrery_unit *unit = &exchange->units[t];
        const struct orrery_replica *replica = &replicas[unit->array < 0 ? 0 : unit->array];
        dsm_own_free(exchange->rows[t]);
        exchange->rows[t] = NULL;
        exchange->nrows[t] = unit->table && !unit->stride ? replica->nranges : 0;
        if (exchange->nrows[t] == 0)
            continue;
        size_t bytes = (size_t)replica->nranges * sizeof *replica->ranges;
        exchange->rows[t] = memcpy(dsm_own_alloc(bytes), replica->ranges, bytes);
        qsort(exchange->rows[t], (size_t)replica->nranges, sizeof *replica->ranges, by_low);
    }
}

/* From `at` to the end of the row's allocation. */
static size_t bytes_behind(const struct orrery_exchange *exchange, long object, const char *at) {
    const struct dsm_range *rows = exchange->rows[object];
    long low = 0, high = exchange->nrows[object];
    while (high - low > 1) {
        long middle = low + (high - low) / 2;
        *(rows[middle].low <= at ? &low : &high) = middle;
    }
    return high > 0 && rows[low].low <= at && at < rows[low].high ? (size_t)(rows[low].high - at)
                                                                  : 0;
}

/* The last row of an array may be shorter than the others. */
static size_t item_bytes(const struct orrery_exchange *exchange, const struct item *item,
                         char **at) {
    const struct orrery_unit *unit = &exchange->units[item->object];
    if (unit->table) {
        *at = *(char **)(unit->base + item->unit * unit->table) + unit->origin;
        return unit->stride ? (size_t)unit->stride : bytes_behind(exchange, item->object, *at);
    }
    long from = unit->origin + item->unit * unit->stride, to = from + labs(unit->stride);
    long extent = exchange->extents[item->object];
    *at = unit->base + from;
    to = extent > 0 && to > extent ? extent : to;
    return to > from ? (size_t)(to - from) : 0;
}

/* Of all items, and how many bytes each rank tells in each column. */
static void places_find(struct orrery_exchange *exchange) {
    for (long bucket = 0; bucket < exchange->columns * exchange->ranks; ++bucket) {
        exchange->sizes[bucket] = 0;
        for (long i = exchange->starts[bucket]; i < exchange->starts[bucket + 1]; ++i) {
            struct place *place = &exchange->places[i];
            place->bytes = item_bytes(exchange, &exchange->items[i], &place->at);
            exchange->sizes[bucket] += place->bytes;
        }
    }
}

static bool has_tables(const struct orrery_exchange *exchange) {
    for (int t = 0; t < exchange->ntouched; ++t)
        if (exchange->units[t].table)
            return true;
    return false;
}

/* Rows behind pointers can be elsewhere though their table is where it was. */
void orrery_exchange_place(struct orrery_exchange *exchange, const struct orrery_loop *loop,
                           const void *env, const long *extents,
                           const struct orrery_replica *replicas) {
    size_t n = (size_t)exchange->ntouched;
    struct orrery_unit units[n + 1];
    memset(units, 0, sizeof units);
    loop->units(env, units);
    if (exchange->placed && !has_tables(exchange) &&
        memcmp(units, exchange->units, n * sizeof *units) == 0 &&
        memcmp(extents, exchange->extents, n * sizeof *extents) == 0)
        return;
    memcpy(exchange->units, units, n * sizeof *units);
    memcpy(exchange->extents, extents, n * sizeof *extents);
    exchange->placed = true;
    rows_find(exchange, replicas);
    places_find(exchange);
}

/* False: they are too far apart to be one. */
static bool stretch_join(struct stretch *stretch, const struct stretch *more, size_t gap) {
    uintptr_t low = (uintptr_t)stretch->low, high = (uintptr_t)stretch->high;
    if (stretch->a != more->a || (uintptr_t)more->low > high + gap ||
        (uintptr_t)more->high + gap < low)
        return false;
    stretch->low = more->low < stretch->low ? more->low : stretch->low;
    stretch->high = more->high > stretch->high ? more->high : stretch->high;
    return true;
}

/* Adds an item, or makes the last stretch longer by it. */
static void stretch_add(struct orrery_exchange *exchange, const struct item *item, size_t gap) {
    long n = exchange->nstretches;
    struct stretch more = {.a = exchange->units[item->object].array};
    size_t bytes = item_bytes(exchange, item, &more.low);
    more.high = more.low + bytes;
    if (bytes == 0 || (n && stretch_join(&exchange->stretches[n - 1], &more, gap)))
        return;
    if (n == exchange->most) {
        exchange->most = exchange->most ? 2 * exchange->most : 16;
        exchange->stretches = dsm_own_realloc(exchange->stretches,
                                              (size_t)exchange->most * sizeof *exchange->stretches);
    }
    exchange->stretches[exchange->nstretches++] = more;
}

static int by_address(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    return x->a != y->a ? x->a - y->a : (x->low > y->low) - (x->low < y->low);
}

/* Those of several ranks come anywhere between each other's. */
static void stretches_unite(struct orrery_exchange *exchange, size_t gap) {
    struct stretch *all = exchange->stretches;
    long kept = 0;
    if (exchange->nstretches == 0)
        return;
    qsort(all, (size_t)exchange->nstretches, sizeof *all, by_address);
    for (long i = 1; i < exchange->nstretches; ++i)
        if (!stretch_join(&all[kept], &all[i], gap))
            all[++kept] = all[i];
    exchange->nstretches = kept + 1;
}

void orrery_exchange_stretches(struct orrery_exchange *exchange, long column, bool own, size_t gap,
                               void (*each)(void *data, int a, char *low, size_t bytes),
                               void *data) {
    exchange->nstretches = 0;
    for (int rank = 0; rank < exchange->ranks; ++rank) {
        const long *start = &exchange->starts[column * exchange->ranks + rank];
        for (long i = start[0]; i < start[1] && own == (rank == dsm_rank()); ++i)
            stretch_add(exchange, &exchange->items[i], gap);
    }
    stretches_unite(exchange, gap);
    for (long i = 0; i < exchange->nstretches; ++i) {
        const struct stretch *stretch = &exchange->stretches[i];
        each(data, stretch->a, stretch->low, (size_t)(stretch->high - stretch->low));
    }
}

static char *room_for(struct room *room, size_t bytes) {
    if (bytes > room->bytes) {
        room->bytes = 2 * bytes;
        room->at = dsm_own_realloc(room->at, room->bytes);
    }
    return room->at;
}

/* Most items are one number. */
static void bytes_copy(char *to, const char *from, size_t bytes) {
    if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 4)
        memcpy(to, from, 4);
    else if (bytes)
        memcpy(to, from, bytes);
}

static void bucket_pack(const struct orrery_exchange *exchange, long bucket, char *buffer) {
    const struct place *end = &exchange->places[exchange->starts[bucket + 1]];
    for (const struct place *place = &exchange->places[exchange->starts[bucket]]; place < end;
         buffer += place++->bytes)
        bytes_copy(buffer, place->at, place->bytes);
}

static void bucket_unpack(const struct orrery_exchange *exchange, long bucket, const char *buffer) {
    const struct place *end = &exchange->places[exchange->starts[bucket + 1]];
    for (const struct place *place = &exchange->places[exchange->starts[bucket]]; place < end;
         buffer += place++->bytes)
        bytes_copy(place->at, buffer, place->bytes);
}

/* What this rank wrote goes to all others; nobody waits for it to arrive. */
static void bucket_tell(struct orrery_exchange *exchange, long bucket) {
    size_t bytes = exchange->sizes[bucket];
    for (int to = 0; to < exchange->ranks; ++to)
        exchange->leaving[to] = NULL;
    if (bytes == 0)
        return;
    char *buffer = room_for(&exchange->told, bytes);
    bucket_pack(exchange, bucket, buffer);
    for (int to = 0; to < exchange->ranks; ++to)
        if (to != dsm_rank())
            exchange->leaving[to] = dsm_send_start(to, ORRERY_TAG_LEVEL, buffer, bytes);
}

static void bucket_hear(struct orrery_exchange *exchange, int rank, long bucket) {
    size_t bytes = exchange->sizes[bucket];
    if (bytes == 0)
        return;
    char *buffer = room_for(&exchange->heard, bytes);
    dsm_receive(rank, ORRERY_TAG_LEVEL, buffer, bytes);
    bucket_unpack(exchange, bucket, buffer);
}

/* All speak at once, and none waits before it has spoken: so each hears all others. */
void orrery_exchange_column(struct orrery_exchange *exchange, long column) {
    long first = column * exchange->ranks;
    bucket_tell(exchange, first + dsm_rank());
    for (int rank = 0; rank < exchange->ranks; ++rank)
        if (rank != dsm_rank())
            bucket_hear(exchange, rank, first + rank);
    for (int to = 0; to < exchange->ranks; ++to)
        if (exchange->leaving[to])
            dsm_wait(exchange->leaving[to]);
}
