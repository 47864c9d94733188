#include "runtime/inspect/levels.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/threads/workers.h"

#include <stdbool.h>
#include <string.h>

/* The units of one object. A unit's place is its distance from `low`, or, where few units lie far
 * apart, its slot in a hash table. */
struct table {
    long low, high;             /* the first unit and the last */
    long touches;               /* of all units */
    size_t slots;               /* of the hash table, a power of two; 0: there is none */
    long *units;                /* by slot: which unit it has */
    bool *taken;                /* by slot: has it one? */
    uint32_t *written, *read;   /* levels: by place, the highest that did, 0 = none */
    uint64_t *writer, *readers; /* needs: by place, sets of rows; readers since the writer */
};

/* `lanes`: the ranges that each worker saw. */
struct build {
    const struct orrery_loop *loop;
    const void *env;
    long count;
    int workers;
    struct table *tables, *lanes;
    struct orrery_leveled *leveled;
};

/* A worker takes many rows, a device has a warp for each. */
enum { MOST_ROWS = 64, MOST_ROWS_DEVICE = 1024 };

/* ---- lists ----------------------------------------------------------------------------------- */

static void list_grow(struct orrery_touches *list) {
    long room = list->room ? 2 * list->room : 64;
    struct orrery_touch *items = dsm_own_alloc((size_t)room * sizeof *items);
    if (list->count)
        memcpy(items, list->items, (size_t)list->count * sizeof *items);
    dsm_own_free(list->items);
    list->items = items;
    list->room = room;
}

static struct orrery_touches list_new(void) {
    return (struct orrery_touches){.grow = list_grow};
}

static void list_fill(struct orrery_touches *list, const struct build *build, long i) {
    list->count = 0;
    build->loop->touches(build->env, i, list, NULL);
}

void orrery_levels_spans(const struct orrery_loop *loop, const void *env, long count, int worker,
                         struct orrery_span *spans) {
    struct orrery_touches list = list_new();
    int workers = orrery_workers_count();
    long end = orrery_share(count, worker + 1, workers);
    for (long i = orrery_share(count, worker, workers); i < end; ++i) {
        list.count = 0;
        loop->touches(env, i, &list, spans);
    }
    dsm_own_free(list.items);
}

/* ---- ranges and costs, by all workers -------------------------------------------------------- */

static void measure_share(void *data, int worker) {
    struct build *build = data;
    struct table *lane = build->lanes + (long)worker * build->loop->ntouched;
    struct orrery_touches list = list_new();
    long end = orrery_share(build->count, worker + 1, build->workers);
    for (int t = 0; t < build->loop->ntouched; ++t)
        lane[t] = (struct table){.low = INT64_MAX, .high = INT64_MIN};
    for (long i = orrery_share(build->count, worker, build->workers); i < end; ++i) {
        list_fill(&list, build, i);
        for (long n = 0; n < list.count; ++n) {
            struct table *table = &lane[list.items[n].object];
            long unit = list.items[n].unit;
            table->low = unit < table->low ? unit : table->low;
            table->high = unit > table->high ? unit : table->high;
            ++table->touches;
        }
        build->leveled->cost[i] = list.count < UINT16_MAX ? (uint32_t)list.count + 1 : UINT16_MAX;
    }
    dsm_own_free(list.items);
}

/* ---- the place of a unit --------------------------------------------------------------------- */

/* So many places for each touch are cheaper than a look into a hash table. */
enum { PLACES_PER_TOUCH = 32, FEW_PLACES = 1 << 16 };

static void table_choose(struct table *table) {
    uint64_t range = (uint64_t)table->high - (uint64_t)table->low;
    if (!table->touches || range < FEW_PLACES ||
        range / PLACES_PER_TOUCH < (uint64_t)table->touches)
        return;
    table->slots = 64;
    while (table->slots < 2 * (size_t)table->touches)
        table->slots *= 2;
    table->units = orrery_memory_aligned(table->slots * sizeof *table->units);
    table->taken = orrery_memory_aligned(table->slots * sizeof *table->taken);
}

static size_t places_of(const struct table *table) {
    if (table->slots)
        return table->slots;
    return table->touches ? (size_t)(table->high - table->low) + 1 : 0;
}

/* Linear probing; the multiplier is 2^64 over the golden ratio (Knuth, vol. 3, section 6.4). */
static size_t slot_of(struct table *table, long unit) {
    size_t mask = table->slots - 1;
    size_t slot = ((uint64_t)unit * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (table->taken[slot] && table->units[slot] != unit)
        slot = (slot + 1) & mask;
    table->taken[slot] = true;
    table->units[slot] = unit;
    return slot;
}

static inline size_t place_of(struct table *table, long unit) {
    return table->slots ? slot_of(table, unit) : (size_t)(unit - table->low);
}

static void table_free(struct table *table) {
    if (table->slots) {
        orrery_memory_free(table->units);
        orrery_memory_free(table->taken);
    }
}

static void tables_measure(struct build *build) {
    int ntables = build->loop->ntouched;
    build->lanes =
        orrery_memory_aligned((size_t)(build->workers * ntables + 1) * sizeof *build->lanes);
    orrery_workers_run(measure_share, build);
    for (int t = 0; t < ntables; ++t) {
        struct table *table = &build->tables[t];
        *table = (struct table){.low = INT64_MAX, .high = INT64_MIN};
        for (int w = 0; w < build->workers; ++w) {
            const struct table *lane = &build->lanes[(long)w * ntables + t];
            table->low = lane->low < table->low ? lane->low : table->low;
            table->high = lane->high > table->high ? lane->high : table->high;
            table->touches += lane->touches;
        }
        table_choose(table);
    }
    orrery_memory_free(build->lanes);
}

/* ---- levels, in the loop's order ------------------------------------------------------------- */

static uint32_t level_of(const struct build *build, const struct orrery_touches *list) {
    uint32_t highest = 0;
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct table *table = &build->tables[touch->object];
        size_t at = place_of(table, touch->unit);
        uint32_t before = table->written[at];
        if (touch->written && table->read[at] > before)
            before = table->read[at];
        highest = before > highest ? before : highest;
    }
    return highest + 1;
}

static void level_note(struct build *build, const struct orrery_touches *list, uint32_t level) {
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct table *table = &build->tables[touch->object];
        size_t at = place_of(table, touch->unit);
        uint32_t *last = touch->written ? &table->written[at] : &table->read[at];
        *last = level > *last ? level : *last;
    }
}

static void levels_find(struct build *build) {
    struct orrery_touches list = list_new();
    for (int t = 0; t < build->loop->ntouched; ++t) {
        size_t bytes = (places_of(&build->tables[t]) + 1) * sizeof(uint32_t);
        build->tables[t].written = orrery_memory_aligned(bytes);
        build->tables[t].read = orrery_memory_aligned(bytes);
    }
    for (long i = 0; i < build->count; ++i) {
        list_fill(&list, build, i);
        uint32_t level = level_of(build, &list);
        build->leveled->level[i] = level;
        if (level > build->leveled->nlevels)
            build->leveled->nlevels = level;
        level_note(build, &list, level);
    }
    for (int t = 0; t < build->loop->ntouched; ++t) {
        orrery_memory_free(build->tables[t].written);
        orrery_memory_free(build->tables[t].read);
    }
    dsm_own_free(list.items);
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

static uint64_t needs_of(const struct build *build, const struct orrery_touches *list) {
    uint64_t rows = 0;
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct table *table = &build->tables[touch->object];
        size_t at = place_of(table, touch->unit);
        rows |= table->writer[at] | (touch->written ? table->readers[at] : 0);
    }
    return rows;
}

/* A writer waits for the readers before it, so that who waits for it need not. */
static void needs_note(struct build *build, const struct orrery_touches *list, uint64_t row) {
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct table *table = &build->tables[touch->object];
        size_t at = place_of(table, touch->unit);
        if (touch->written) {
            table->writer[at] = row;
            table->readers[at] = 0;
        }
    }
    for (long n = 0; n < list->count; ++n)
        if (!list->items[n].written) {
            struct table *table = &build->tables[list->items[n].object];
            table->readers[place_of(table, list->items[n].unit)] |= row;
        }
}

static void needs_find(struct build *build, struct orrery_levels *levels) {
    struct orrery_touches list = list_new();
    for (int t = 0; t < build->loop->ntouched; ++t) {
        size_t bytes = (places_of(&build->tables[t]) + 1) * sizeof(uint64_t);
        build->tables[t].writer = orrery_memory_aligned(bytes);
        build->tables[t].readers = orrery_memory_aligned(bytes);
    }
    for (long i = 0; i < build->count; ++i) {
        long row = build->leveled->row[i], column = build->leveled->level[i];
        uint64_t own = (uint64_t)1 << orrery_levels_bit(levels->rows, row);
        list_fill(&list, build, i);
        uint64_t needs = needs_of(build, &list);
        levels->needs[row * levels->columns + column] |= levels->rows > 64 ? needs : needs & ~own;
        needs_note(build, &list, own);
    }
    for (int t = 0; t < build->loop->ntouched; ++t) {
        orrery_memory_free(build->tables[t].writer);
        orrery_memory_free(build->tables[t].readers);
    }
    dsm_own_free(list.items);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void *per_iteration(long count) {
    return orrery_memory_aligned((size_t)(count + 1) * sizeof(uint32_t));
}

struct orrery_levels *orrery_levels_new(const struct orrery_loop *loop, const void *env,
                                        long count) {
    struct table tables[loop->ntouched + 1];
    struct orrery_leveled leveled = {.count = count,
                                     .level = per_iteration(count),
                                     .cost = per_iteration(count),
                                     .row = per_iteration(count)};
    struct build build = {loop, env, count, orrery_workers_count(), tables, NULL, &leveled};
    if (count >= UINT32_MAX)
        dsm_refuse(1, "%s:%d: %ld iterations are too many for levels", loop->file, loop->line,
                   count);
    tables_measure(&build);
    levels_find(&build);
    long rows = loop->grid[0] ? loop->grid[0] : orrery_env()->rows;
    struct orrery_levels *levels =
        orrery_levels_grid(&leveled, rows, loop->kernel ? MOST_ROWS_DEVICE : MOST_ROWS);
    needs_find(&build, levels);
    for (int t = 0; t < loop->ntouched; ++t)
        table_free(&tables[t]);
    orrery_memory_free(leveled.level);
    orrery_memory_free(leveled.cost);
    orrery_memory_free(leveled.row);
    return levels;
}

void orrery_levels_free(struct orrery_levels *levels) {
    orrery_memory_free(levels->order);
    orrery_memory_free(levels->starts);
    orrery_memory_free(levels->needs);
    dsm_own_free(levels);
}
