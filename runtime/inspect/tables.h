/* Tables of what iterations touch, as their lists say: made in front of levels and batches. */
#ifndef ORRERY_RUNTIME_TABLES_H
#define ORRERY_RUNTIME_TABLES_H

#include "runtime/schedule/blocks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The units of one object. A unit's place is its distance from `low`, or, where few units lie far
 * apart, its slot in a hash table. */
struct orrery_table {
    long low, high;             /* the first unit and the last */
    long touches;               /* of all units */
    size_t slots;               /* of the hash table, a power of two; 0: there is none */
    long *units;                /* by slot: which unit it has */
    bool *taken;                /* by slot: has it one? */
    uint32_t *written, *read;   /* levels: by place, the highest that did, 0 = none */
    uint64_t *writer, *readers; /* needs: by place, sets of rows; readers since the writer */
};

/* `lanes`: the ranges that each worker saw. `first`: how many elements iteration i touches, at i + 1;
 * NULL: nobody asks. */
struct orrery_listing {
    const struct orrery_loop *loop;
    const void *env;
    long count;
    int workers;
    struct orrery_table *tables, *lanes;
    struct orrery_leveled *leveled;
    long *first;
};

/* Empty; the caller frees the items (dsm_own_free). */
struct orrery_touches orrery_list_new(void);

/* What iteration i touches. */
void orrery_list_fill(struct orrery_touches *list, const struct orrery_listing *listing, long i);

/* Ranges and places of all tables, and every iteration's cost; by all workers. */
void orrery_tables_measure(struct orrery_listing *listing);
void orrery_table_free(struct orrery_table *table);

/* How many places a table has. */
size_t orrery_places_of(const struct orrery_table *table);
size_t orrery_slot_of(struct orrery_table *table, long unit);

static inline size_t orrery_place_of(struct orrery_table *table, long unit) {
    return table->slots ? orrery_slot_of(table, unit) : (size_t)(unit - table->low);
}

#endif
