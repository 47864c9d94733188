#include "runtime/inspect/levels.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/schedule/batches.h"
#include "runtime/threads/workers.h"

#include <string.h>

/* A worker takes many rows, a device has a warp for each. */
enum { MOST_ROWS = 64, MOST_ROWS_DEVICE = 1024 };

/* ---- levels, in the loop's order ------------------------------------------------------------- */

static uint32_t level_of(const struct orrery_listing *listing, const struct orrery_touches *list) {
    uint32_t highest = 0;
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct orrery_table *table = &listing->tables[touch->object];
        size_t at = orrery_place_of(table, touch->unit);
        uint32_t before = table->written[at];
        if (touch->written && table->read[at] > before)
            before = table->read[at];
        highest = before > highest ? before : highest;
    }
    return highest + 1;
}

static void level_note(struct orrery_listing *listing, const struct orrery_touches *list,
                       uint32_t level) {
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct orrery_table *table = &listing->tables[touch->object];
        size_t at = orrery_place_of(table, touch->unit);
        uint32_t *last = touch->written ? &table->written[at] : &table->read[at];
        *last = level > *last ? level : *last;
    }
}

static void levels_find(struct orrery_listing *listing) {
    struct orrery_touches list = orrery_list_new();
    for (int t = 0; t < listing->loop->ntouched; ++t) {
        size_t bytes = (orrery_places_of(&listing->tables[t]) + 1) * sizeof(uint32_t);
        listing->tables[t].written = orrery_memory_aligned(bytes);
        listing->tables[t].read = orrery_memory_aligned(bytes);
    }
    for (long i = 0; i < listing->count; ++i) {
        orrery_list_fill(&list, listing, i);
        uint32_t level = level_of(listing, &list);
        listing->leveled->level[i] = level;
        if (level > listing->leveled->nlevels)
            listing->leveled->nlevels = level;
        level_note(listing, &list, level);
    }
    for (int t = 0; t < listing->loop->ntouched; ++t) {
        orrery_memory_free(listing->tables[t].written);
        orrery_memory_free(listing->tables[t].read);
    }
    dsm_own_free(list.items);
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

static uint64_t needs_of(const struct orrery_listing *listing, const struct orrery_touches *list) {
    uint64_t rows = 0;
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct orrery_table *table = &listing->tables[touch->object];
        size_t at = orrery_place_of(table, touch->unit);
        rows |= table->writer[at] | (touch->written ? table->readers[at] : 0);
    }
    return rows;
}

/* A writer waits for the readers before it, so that who waits for it need not. */
static void needs_note(struct orrery_listing *listing, const struct orrery_touches *list,
                       uint64_t row) {
    for (long n = 0; n < list->count; ++n) {
        const struct orrery_touch *touch = &list->items[n];
        struct orrery_table *table = &listing->tables[touch->object];
        size_t at = orrery_place_of(table, touch->unit);
        if (touch->written) {
            table->writer[at] = row;
            table->readers[at] = 0;
        }
    }
    for (long n = 0; n < list->count; ++n)
        if (!list->items[n].written) {
            struct orrery_table *table = &listing->tables[list->items[n].object];
            table->readers[orrery_place_of(table, list->items[n].unit)] |= row;
        }
}

static void needs_find(struct orrery_listing *listing, struct orrery_levels *levels) {
    struct orrery_touches list = orrery_list_new();
    for (int t = 0; t < listing->loop->ntouched; ++t) {
        size_t bytes = (orrery_places_of(&listing->tables[t]) + 1) * sizeof(uint64_t);
        listing->tables[t].writer = orrery_memory_aligned(bytes);
        listing->tables[t].readers = orrery_memory_aligned(bytes);
    }
    for (long i = 0; i < listing->count; ++i) {
        long row = listing->leveled->row[i], column = listing->leveled->level[i];
        uint64_t own = (uint64_t)1 << orrery_levels_bit(levels->rows, row);
        orrery_list_fill(&list, listing, i);
        uint64_t needs = needs_of(listing, &list);
        levels->needs[row * levels->columns + column] |= levels->rows > 64 ? needs : needs & ~own;
        needs_note(listing, &list, own);
    }
    for (int t = 0; t < listing->loop->ntouched; ++t) {
        orrery_memory_free(listing->tables[t].writer);
        orrery_memory_free(listing->tables[t].readers);
    }
    dsm_own_free(list.items);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void *per_iteration(long count) {
    return orrery_memory_aligned((size_t)(count + 1) * sizeof(uint32_t));
}

static struct orrery_levels *grid_of(const struct orrery_listing *listing) {
    const struct orrery_loop *loop = listing->loop;
    long rows = loop->grid[0] ? loop->grid[0] : orrery_env()->rows;
    return orrery_levels_grid(listing->leveled, rows, loop->kernel ? MOST_ROWS_DEVICE : MOST_ROWS);
}

static struct orrery_levels *by_level(struct orrery_listing *listing) {
    orrery_tables_measure(listing);
    levels_find(listing);
    struct orrery_levels *levels = grid_of(listing);
    needs_find(listing, levels);
    return levels;
}

static struct orrery_levels *by_batch(struct orrery_listing *listing) {
    struct orrery_hot hot;
    listing->first = orrery_memory_aligned((size_t)(listing->count + 2) * sizeof *listing->first);
    orrery_tables_measure(listing);
    struct orrery_hots *hots = orrery_batches_make(listing, &hot);
    orrery_memory_free(listing->first);
    struct orrery_levels *levels = grid_of(listing);
    levels->hot = hot;
    levels->hots = hots;
    if (hots && levels->rows > MOST_ROWS)
        dsm_refuse(1, "%s:%d: a grid of %ld rows is too much for copies of hot rows: at most %d",
                   listing->loop->file, listing->loop->line, levels->rows, MOST_ROWS);
    if (hots)
        orrery_hots_place(hots, levels);
    for (long row = 0; row < levels->rows; ++row)
        for (long column = 0; column < levels->columns; ++column)
            levels->needs[row * levels->columns + column] =
                orrery_batches_needs(levels->rows, row, column);
    return levels;
}

struct orrery_levels *orrery_levels_new(const struct orrery_loop *loop, const void *env,
                                        long count) {
    struct orrery_table tables[loop->ntouched + 1];
    struct orrery_leveled leveled = {.count = count,
                                     .level = per_iteration(count),
                                     .cost = per_iteration(count),
                                     .row = per_iteration(count)};
    struct orrery_listing listing = {.loop = loop,
                                     .env = env,
                                     .count = count,
                                     .workers = orrery_workers_count(),
                                     .tables = tables,
                                     .leveled = &leveled};
    if (count >= UINT32_MAX)
        dsm_refuse(1, "%s:%d: %ld iterations are too many for levels", loop->file, loop->line,
                   count);
    bool batches = loop->strategy == ORRERY_LEVELS && loop->unordered;
    struct orrery_levels *levels = batches ? by_batch(&listing) : by_level(&listing);
    for (int t = 0; t < loop->ntouched; ++t)
        orrery_table_free(&tables[t]);
    orrery_memory_free(leveled.level);
    orrery_memory_free(leveled.cost);
    orrery_memory_free(leveled.row);
    return levels;
}

void orrery_levels_free(struct orrery_levels *levels) {
    orrery_memory_free(levels->order);
    orrery_memory_free(levels->starts);
    orrery_memory_free(levels->needs);
    orrery_hots_free(levels->hots);
    dsm_own_free(levels);
}
