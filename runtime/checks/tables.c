/*
 * Rows behind a table of pointers. How long a row is the shape need not say: it cannot be longer
 * than its allocation, and that is enough to prove rows disjoint.
 */
#include "runtime/region/region.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <string.h>

size_t orrery_row_length(const struct orrery_shape *shape, long v) {
    char *base;
    size_t bytes;
    if (shape->piece_bytes > 0)
        return (size_t)((shape->pieces - 1) * shape->piece_stride + shape->piece_bytes);
    const char *row = orrery_row_address(shape, v);
    return row && dsm_find(row, &base, &bytes) ? (size_t)(base + bytes - row) : 0;
}

long orrery_table_entries(const struct orrery_shape *shape) {
    char *base;
    size_t bytes;
    if (!dsm_find(shape->table, &base, &bytes))
        return shape->pieces > 0 ? shape->pieces : -1;
    long step = orrery_table_step(shape);
    long there = (base + (long)bytes - (char *)shape->table + step - (long)sizeof(char *)) / step;
    return shape->pieces > 0 && shape->pieces < there ? shape->pieces : there;
}

void orrery_tables_trim(struct orrery_shape *shape) {
    bool lines = !shape->table && shape->pieces == 0 && shape->piece_stride > 0;
    long entries = orrery_shape_by_pieces(shape) ? orrery_table_entries(shape)
                   : lines ? (long)orrery_shape_extent(shape) / shape->piece_stride
                           : -1;
    if (entries >= 0 && (entries < shape->pieces || shape->pieces == 0))
        shape->pieces = entries;
}

/* Finding a block reads what the C library wrote in front of it, which nobody else looks at: for many
 * rows it is asked for so many rows ahead. Where no memory is, nothing happens. */
enum { ROWS_AHEAD = 24, IN_FRONT = 8 };

static void prefetch_front(const struct orrery_shape *shape, long i, long entries) {
    if (i < entries)
        __builtin_prefetch(
            (const void *)((uintptr_t)*orrery_table_entry(shape, i) - (uintptr_t)IN_FRONT));
}

/* Rows that several threads look for; of fewer it is no work. */
enum { ROWS_SHARED = 1 << 12 };

struct finding {
    const struct orrery_shape *shape;
    long entries;
    int workers;
    struct dsm_range *rows; /* of entries that lead nowhere: NULL */
};

static void find_share(void *data, int worker) {
    const struct finding *find = data;
    long end = worker < find->workers ? orrery_share(find->entries, worker + 1, find->workers) : 0;
    for (long i = end ? orrery_share(find->entries, worker, find->workers) : 0; i < end; ++i) {
        char *base, *row = *orrery_table_entry(find->shape, i);
        size_t bytes;
        prefetch_front(find->shape, i + ROWS_AHEAD, find->entries);
        find->rows[i] = (struct dsm_range){
            row, row && dsm_find(row, &base, &bytes) ? base + bytes : (const char *)UINTPTR_MAX};
    }
}

long orrery_table_rows(const struct orrery_shape *shape, struct dsm_range **rows) {
    long entries = orrery_table_entries(shape), n = 0;
    *rows = dsm_own_alloc((size_t)(entries < 0 ? 1 : entries + 1) * sizeof **rows);
    if (entries < 0)
        (*rows)[n++] = (struct dsm_range){NULL, (const char *)UINTPTR_MAX};
    struct finding find = {shape, entries, 1, *rows};
    if (entries >= ROWS_SHARED) {
        find.workers = orrery_workers_count();
        orrery_workers_run(find_share, &find);
    } else {
        find_share(&find, 0);
    }
    for (long i = 0; i < entries; ++i)
        if ((*rows)[i].low)
            (*rows)[n++] = (*rows)[i];
    return n;
}

/* The length that all rows have, 0 when they differ or are not known. */
static long common_length(const struct orrery_shape *shape, const struct orrery_dim *dim) {
    size_t common = 0;
    for (long i = 0; i < orrery_dim_range(dim); ++i) {
        if (!orrery_dim_has(dim, i))
            continue;
        size_t length = orrery_row_length(shape, dim->low + i);
        if (!length || (common && length != common))
            return 0;
        common = length;
    }
    return (long)common;
}

/* The allocation that a line lies in: the one that has all the keys, if any, else the one that the
 * table's entry points to. */
static bool line_block(const struct orrery_shape *shape, const struct dsm_range *keys, long q,
                       char **base, size_t *bytes) {
    bool all = dsm_find(keys->low, base, bytes) && keys->high <= *base + *bytes;
    return all || dsm_find(*orrery_table_entry(shape, q + shape->table_offset), base, bytes);
}

struct dsm_range orrery_piece_stretch(const struct orrery_shape *shape,
                                      const struct orrery_dim *dim, long q) {
    char *base, *entry = *orrery_table_entry(shape, q + shape->table_offset);
    size_t bytes;
    if (!entry)
        return (struct dsm_range){NULL, NULL};
    const char *low = orrery_piece_address(shape, shape->row_stride < 0 ? dim->high : dim->low, q);
    struct dsm_range keys = {low, low + orrery_piece_reach(shape, dim)};
    if (!line_block(shape, &keys, q, &base, &bytes))
        return keys;
    const char *end = base + bytes;
    keys.low = keys.low < base ? base : keys.low > end ? end : keys.low;
    keys.high = keys.high > end ? end : keys.high < keys.low ? keys.low : keys.high;
    return keys;
}

struct dsm_range orrery_table_range(const struct orrery_shape *shape, long low, long range) {
    bool by_pieces = orrery_shape_by_pieces(shape);
    long first = shape->table_offset + (by_pieces ? 0 : low);
    long count = by_pieces ? shape->pieces : range;
    const char *at = (const char *)orrery_table_entry(shape, first);
    long gap = orrery_table_step(shape) - (long)sizeof(char *);
    return (struct dsm_range){
        at, count > 0 ? (const char *)orrery_table_entry(shape, first + count) - gap : at};
}

/* The pointers that the loop may follow. */
static struct dsm_range watched_range(const struct orrery_shape *shape,
                                      const struct orrery_dim *dim) {
    if (dim)
        return orrery_table_range(shape, dim->low, orrery_dim_range(dim));
    long entries = orrery_table_entries(shape);
    return (struct dsm_range){(char *)shape->table,
                              (char *)(shape->table + (entries > 0 ? entries : 0))};
}

/* ---- pointers in structures: what stands beside them may change in every pass ---- */

struct orrery_pointers {
    struct orrery_pointers *next;
    struct orrery_shape shape;
    long first, count;
    char *was[];
};

static void note_pointers(struct orrery_state *state, const struct orrery_shape *shape,
                          const struct orrery_dim *dim) {
    long count = dim ? orrery_dim_range(dim) : orrery_table_entries(shape);
    count = count > 0 ? count : 0;
    struct orrery_pointers *p = dsm_own_alloc(sizeof *p + (size_t)count * sizeof *p->was);
    *p = (struct orrery_pointers){.next = state->pointers,
                                  .shape = *shape,
                                  .first = dim ? shape->table_offset + dim->low : 0,
                                  .count = count};
    for (long i = 0; i < count; ++i)
        p->was[i] = *orrery_table_entry(shape, p->first + i);
    state->pointers = p;
}

static void forget_pointers(struct orrery_state *state) {
    while (state->pointers) {
        struct orrery_pointers *next = state->pointers->next;
        dsm_own_free(state->pointers);
        state->pointers = next;
    }
}

static bool pointers_hold(const struct orrery_pointers *p) {
    for (long i = 0; i < p->count; ++i)
        if (*orrery_table_entry(&p->shape, p->first + i) != p->was[i])
            return false;
    return true;
}

bool orrery_tables_hold(const struct orrery_state *state) {
    for (const struct orrery_pointers *p = state->pointers; p; p = p->next)
        if (!pointers_hold(p))
            return false;
    return !state->tables || !dsm_watch_changed(state->tables);
}

static void watch(struct orrery_state *state, const struct orrery_dim *dims) {
    struct dsm_range ranges[state->loop->narrays + 1];
    int n = 0;
    forget_pointers(state);
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_shape *shape = &state->shapes[a];
        int d = state->loop->arrays[a].dim;
        if (shape->tables > 1)
            continue;
        if (shape->table && shape->table_step)
            note_pointers(state, shape, d < 0 ? NULL : &dims[d]);
        else if (shape->table)
            ranges[n++] = watched_range(shape, d < 0 ? NULL : &dims[d]);
    }
    if (state->tables)
        dsm_watch_end(state->tables);
    state->tables = n ? dsm_watch_start(n, ranges) : NULL;
}

/* No row that is there is shorter than the loop may go. */
static bool rows_hold(const struct orrery_shape *shape, const struct orrery_dim *dim) {
    char *base;
    size_t bytes;
    for (long i = 0; i < orrery_dim_range(dim); ++i) {
        const char *row = orrery_dim_has(dim, i) ? orrery_row_address(shape, dim->low + i) : NULL;
        if (row && dsm_find(row, &base, &bytes) &&
            (size_t)(base + bytes - row) < (size_t)shape->piece_bytes)
            return false;
    }
    return true;
}

void orrery_tables_look(struct orrery_state *state, const struct orrery_dim *dims) {
    for (int a = 0; a < state->loop->narrays; ++a) {
        struct orrery_shape *shape = &state->shapes[a];
        state->row_bytes[a] = 0;
        int d = state->loop->arrays[a].dim;
        if (!shape->table || orrery_shape_by_pieces(shape) || d < 0)
            continue;
        if (shape->piece_bytes > 0 && rows_hold(shape, &dims[d]))
            continue;
        shape->piece_bytes = 0;
        state->row_bytes[a] = common_length(shape, &dims[d]);
        if (state->row_bytes[a] == 0)
            state->row_bytes[a] = ORRERY_ROWS_UNLIKE;
    }
    watch(state, dims);
}

void orrery_tables_fill(struct orrery_state *state) {
    for (int a = 0; a < state->loop->narrays; ++a)
        if (state->row_bytes[a]) {
            state->shapes[a].pieces = 1;
            state->shapes[a].piece_bytes =
                state->row_bytes[a] == ORRERY_ROWS_UNLIKE ? 0 : state->row_bytes[a];
        }
}
