/*
 * Rows behind a table of tables (`int ***`): for the region their pointers stand in one table of
 * ours, so that the rest of the runtime knows one kind of table. It is made anew where a region
 * begins and a pointer or a block is another one; when it holds what it held it stays where it was,
 * and the shape is the same.
 */
#include "runtime/base/memory.h"
#include "runtime/region/region.h"

#include "dsm/dsm.h"

#include <string.h>

static void push(struct orrery_flat *flat, char *row) {
    if (flat->count == flat->room) {
        long room = flat->room ? 2 * flat->room : 64;
        char **rows = dsm_own_alloc((size_t)room * sizeof *rows);
        if (flat->count)
            memcpy(rows, flat->rows, (size_t)flat->count * sizeof *rows);
        dsm_own_free(flat->rows);
        flat->rows = rows;
        flat->room = room;
    }
    flat->rows[flat->count++] = row;
}

/* An inner table that no iteration may have followed. */
static bool is_there(const struct orrery_shape *inner, long count) {
    char *base;
    size_t bytes;
    return count <= 0 || dsm_find(inner->table, &base, &bytes) ||
           orrery_readable(inner->table,
                           (size_t)((count - 1) * orrery_table_step(inner)) + sizeof *inner->table);
}

/* False: how many there are is not known. */
static bool gather_inner(const struct orrery_shape *shape, char *first, struct orrery_flat *flat) {
    struct orrery_shape inner = {.table = (char **)(first ? first + shape->inner_at : NULL),
                                 .pieces = shape->inner,
                                 .table_step = shape->inner_step};
    long count = inner.table ? orrery_table_entries(&inner) : 0;
    if (count < 0 || !is_there(&inner, count))
        return false;
    flat->firsts[flat->outer] = first;
    flat->counts[flat->outer++] = count;
    for (long j = 0; j < count; ++j)
        push(flat, *orrery_table_entry(&inner, j));
    return true;
}

static bool gather(const struct orrery_shape *shape, struct orrery_flat *flat) {
    long outer = orrery_table_entries(shape);
    flat->firsts = dsm_own_alloc((size_t)(outer < 0 ? 1 : outer + 1) * sizeof *flat->firsts);
    flat->counts = dsm_own_alloc((size_t)(outer < 0 ? 1 : outer + 1) * sizeof *flat->counts);
    for (long i = 0; i < outer; ++i)
        if (!gather_inner(shape, *orrery_table_entry(shape, i), flat))
            return false;
    return outer >= 0;
}

static bool same(const struct orrery_flat *a, const struct orrery_flat *b) {
    return a->rows && a->count == b->count &&
           memcmp(a->rows, b->rows, (size_t)a->count * sizeof *a->rows) == 0;
}

enum { AHEAD = 16 }; /* tables, whose lines are asked for */

/*
 * Do the tables have the pointers that they had? To look at each is a tenth of finding the block
 * of each. Blocks are what they were when the epoch is.
 */
static bool holds(const struct orrery_flat *flat, const struct orrery_shape *shape) {
    char **row = flat->rows;
    if (memcmp(&flat->shape, shape, sizeof *shape) != 0)
        return false;
    for (long i = 0; i < flat->outer; ++i) {
        char *first = *orrery_table_entry(shape, i);
        if (i + AHEAD < flat->outer)
            __builtin_prefetch(flat->firsts[i + AHEAD] + shape->inner_at);
        if (first != flat->firsts[i])
            return false;
        struct orrery_shape inner = {.table = (char **)(first ? first + shape->inner_at : NULL),
                                     .table_step = shape->inner_step};
        for (long j = 0; j < flat->counts[i]; ++j)
            if (*orrery_table_entry(&inner, j) != *row++)
                return false;
    }
    return true;
}

static void flat_free(struct orrery_flat *flat) {
    dsm_own_free(flat->rows);
    dsm_own_free(flat->firsts);
    dsm_own_free(flat->counts);
}

/* Rows that are the same stay where they are. */
static void gather_anew(struct orrery_flat *old, const struct orrery_shape *shape,
                        unsigned long epoch) {
    struct orrery_flat flat = {.shape = *shape, .epoch = epoch};
    flat.known = gather(shape, &flat);
    push(&flat, NULL);
    if (same(old, &flat)) {
        char **rows = flat.rows;
        flat.rows = old->rows;
        flat.room = old->room;
        old->rows = rows;
    }
    flat_free(old);
    *old = flat;
}

void orrery_tables_flatten(struct orrery_state *state, int i, unsigned long epoch) {
    struct orrery_shape *shape = &state->shapes[i];
    struct orrery_flat *flat = &state->flat[i];
    if (shape->tables < 2 || !shape->table)
        return;
    if (!flat->known || flat->epoch != epoch || !holds(flat, shape))
        gather_anew(flat, shape, epoch);
    shape->table = flat->rows;
    shape->table_step = 0;
    shape->pieces = flat->known ? flat->count : 0;
}
