#include "runtime/inspect/tables.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/levels.h"
#include "runtime/threads/workers.h"

#include <string.h>

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

struct orrery_touches orrery_list_new(void) {
    return (struct orrery_touches){.grow = list_grow};
}

void orrery_list_fill(struct orrery_touches *list, const struct orrery_listing *listing, long i) {
    list->count = 0;
    listing->loop->touches(listing->env, i, list, NULL);
}

void orrery_levels_spans(const struct orrery_loop *loop, const void *env, long count, int worker,
                         struct orrery_span *spans) {
    struct orrery_touches list = orrery_list_new();
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
    struct orrery_listing *listing = data;
    struct orrery_table *lane = listing->lanes + (long)worker * listing->loop->ntouched;
    struct orrery_touches list = orrery_list_new();
    long end = orrery_share(listing->count, worker + 1, listing->workers);
    for (int t = 0; t < listing->loop->ntouched; ++t)
        lane[t] = (struct orrery_table){.low = INT64_MAX, .high = INT64_MIN};
    for (long i = orrery_share(listing->count, worker, listing->workers); i < end; ++i) {
        orrery_list_fill(&list, listing, i);
        for (long n = 0; n < list.count; ++n) {
            struct orrery_table *table = &lane[list.items[n].object];
            long unit = list.items[n].unit;
            table->low = unit < table->low ? unit : table->low;
            table->high = unit > table->high ? unit : table->high;
            ++table->touches;
        }
        if (listing->first)
            listing->first[i + 1] = list.count;
        listing->leveled->cost[i] = list.count < UINT16_MAX ? (uint32_t)list.count + 1 : UINT16_MAX;
    }
    dsm_own_free(list.items);
}

/* ---- the place of a unit --------------------------------------------------------------------- */

/* So many places for each touch are cheaper than a look into a hash table. */
enum { PLACES_PER_TOUCH = 32, FEW_PLACES = 1 << 16 };

static void table_choose(struct orrery_table *table) {
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

size_t orrery_places_of(const struct orrery_table *table) {
    if (table->slots)
        return table->slots;
    return table->touches ? (size_t)(table->high - table->low) + 1 : 0;
}

/* Linear probing; the multiplier is 2^64 over the golden ratio (Knuth, vol. 3, section 6.4). */
size_t orrery_slot_of(struct orrery_table *table, long unit) {
    size_t mask = table->slots - 1;
    size_t slot = ((uint64_t)unit * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (table->taken[slot] && table->units[slot] != unit)
        slot = (slot + 1) & mask;
    table->taken[slot] = true;
    table->units[slot] = unit;
    return slot;
}

void orrery_table_free(struct orrery_table *table) {
    if (table->slots) {
        orrery_memory_free(table->units);
        orrery_memory_free(table->taken);
    }
}

void orrery_tables_measure(struct orrery_listing *listing) {
    int ntables = listing->loop->ntouched;
    listing->lanes =
        orrery_memory_aligned((size_t)(listing->workers * ntables + 1) * sizeof *listing->lanes);
    orrery_workers_run(measure_share, listing);
    for (int t = 0; t < ntables; ++t) {
        struct orrery_table *table = &listing->tables[t];
        *table = (struct orrery_table){.low = INT64_MAX, .high = INT64_MIN};
        for (int w = 0; w < listing->workers; ++w) {
            const struct orrery_table *lane = &listing->lanes[(long)w * ntables + t];
            table->low = lane->low < table->low ? lane->low : table->low;
            table->high = lane->high > table->high ? lane->high : table->high;
            table->touches += lane->touches;
        }
        table_choose(table);
    }
    orrery_memory_free(listing->lanes);
}
