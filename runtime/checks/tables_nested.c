/*
 * Rows behind a table of tables (`int ***`): for the region their pointers stand in one table of
 * ours, so that the rest of the runtime knows one kind of table. It is made anew where a region
 * begins; when it holds what it held it stays where it was, and the shape is the same.
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
        *flat = (struct orrery_flat){rows, flat->count, room};
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
static bool gather(const struct orrery_shape *shape, struct orrery_flat *flat) {
    long outer = orrery_table_entries(shape);
    for (long i = 0; i < outer; ++i) {
        char *first = *orrery_table_entry(shape, i);
        struct orrery_shape inner = {.table = (char **)(first ? first + shape->inner_at : NULL),
                                     .pieces = shape->inner,
                                     .table_step = shape->inner_step};
        long count = inner.table ? orrery_table_entries(&inner) : 0;
        if (count < 0 || !is_there(&inner, count))
            return false;
        for (long j = 0; j < count; ++j)
            push(flat, *orrery_table_entry(&inner, j));
    }
    return outer >= 0;
}

static bool same(const struct orrery_flat *a, const struct orrery_flat *b) {
    return a->rows && a->count == b->count &&
           memcmp(a->rows, b->rows, (size_t)a->count * sizeof *a->rows) == 0;
}

void orrery_tables_flatten(struct orrery_state *state, int i) {
    struct orrery_shape *shape = &state->shapes[i];
    struct orrery_flat *old = &state->flat[i], flat = {0};
    if (shape->tables < 2 || !shape->table)
        return;
    bool known = gather(shape, &flat);
    push(&flat, NULL);
    if (same(old, &flat)) {
        dsm_own_free(flat.rows);
    } else {
        dsm_own_free(old->rows);
        *old = flat;
    }
    shape->table = old->rows;
    shape->table_step = 0;
    shape->pieces = known ? old->count : 0;
}
