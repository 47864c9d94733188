/*
 * Rows behind a table of tables (`int ***`): for the region their pointers stand in one table of
 * ours, so that the rest of the runtime knows one kind of table. It is made anew where a region
 * begins and a pointer or a block is another one; when it holds what it held it stays where it was,
 * and the shape is the same.
 */
#include "runtime/region/region.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <stdatomic.h>
#include <stdlib.h>
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

static struct orrery_shape inner_of(const struct orrery_shape *shape, char *first) {
    return (struct orrery_shape){.table = (char **)(first ? first + shape->inner_at : NULL),
                                 .pieces = shape->inner,
                                 .table_step = shape->inner_step};
}

/* False: how many there are is not known. */
static bool gather_inner(const struct orrery_shape *shape, char *first, struct orrery_flat *flat) {
    struct orrery_shape inner = inner_of(shape, first);
    long count = inner.table ? orrery_table_entries(&inner) : 0;
    if (count < 0 || !is_there(&inner, count))
        return false;
    for (long j = 0; j < count; ++j)
        push(flat, *orrery_table_entry(&inner, j));
    flat->firsts[flat->outer] = first;
    flat->begins[++flat->outer] = flat->count;
    return true;
}

static bool gather(const struct orrery_shape *shape, struct orrery_flat *flat) {
    long outer = orrery_table_entries(shape);
    flat->firsts = dsm_own_alloc((size_t)(outer < 0 ? 1 : outer + 1) * sizeof *flat->firsts);
    flat->begins = dsm_own_alloc((size_t)(outer < 0 ? 1 : outer + 1) * sizeof *flat->begins);
    flat->begins[0] = 0;
    for (long i = 0; i < outer; ++i)
        if (!gather_inner(shape, *orrery_table_entry(shape, i), flat))
            return false;
    return outer >= 0;
}

static bool same(const struct orrery_flat *a, const struct orrery_flat *b) {
    return a->rows && a->count == b->count &&
           memcmp(a->rows, b->rows, (size_t)a->count * sizeof *a->rows) == 0;
}

enum {
    AHEAD = 64,  /* tables, whose lines are asked for */
    CHUNK = 256, /* tables that are looked at for one shape, then for the next: lines in cache */
    LITTLE = 1 << 14 /* tables that are no work for more than one */
};

/* Do tables [low, high) have the pointers that they had? */
static bool part_holds(const struct orrery_flat *flat, const struct orrery_shape *shape, long low,
                       long high) {
    for (long i = low; i < high; ++i) {
        char *first = *orrery_table_entry(shape, i);
        if (i + AHEAD < flat->outer)
            __builtin_prefetch(flat->firsts[i + AHEAD] + shape->inner_at);
        if (first != flat->firsts[i])
            return false;
        struct orrery_shape inner = inner_of(shape, first);
        for (long j = flat->begins[i]; j < flat->begins[i + 1]; ++j)
            if (*orrery_table_entry(&inner, j - flat->begins[i]) != flat->rows[j])
                return false;
    }
    return true;
}

/* Tables of all shapes, some of which are looked at; `outer`: the most that one has. */
struct look {
    struct orrery_state *state;
    long outer;
    int workers;
};

static void look_work(void *data, int worker) {
    const struct look *look = data;
    for (long low = worker * CHUNK; worker < look->workers && low < look->outer;
         low += look->workers * CHUNK)
        for (int i = 0; i < look->state->nshapes; ++i) {
            struct orrery_flat *flat = &look->state->flat[i];
            long high = low + CHUNK < flat->outer ? low + CHUNK : flat->outer;
            if (atomic_load_explicit(&flat->holds, memory_order_relaxed) &&
                !part_holds(flat, &look->state->shapes[i], low, high))
                atomic_store_explicit(&flat->holds, false, memory_order_relaxed);
        }
}

/* ---- pointers that nobody writes are not looked at again --------------------------------------- */

enum {
    MANY = 64,        /* tables of a piece on average: else to look at each costs no more */
    SAME_BEFORE = 16, /* looks without a change, which take as long as a watch takes to begin */
    ALARMS = 3,       /* watches that begin before the pointers change */
    TO_COMPARE = 16   /* bytes per table that a watch may compare */
};

static struct dsm_range pointers_range(const struct orrery_shape *table, long count) {
    const char *last = (const char *)orrery_table_entry(table, count - 1);
    return (struct dsm_range){(const char *)table->table, last + sizeof(char *)};
}

static int range_order(const void *left, const void *right) {
    const struct dsm_range *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low;
}

/* The tables, ascending, those between which no other memory is in one piece: how many. */
static int pieces_make(const struct orrery_flat *flat, struct dsm_range *pieces) {
    long n = 0;
    int last = 0;
    pieces[n++] = pointers_range(&flat->shape, flat->outer);
    for (long i = 0; i < flat->outer; ++i) {
        struct orrery_shape inner = inner_of(&flat->shape, flat->firsts[i]);
        if (flat->begins[i + 1] > flat->begins[i])
            pieces[n++] = pointers_range(&inner, flat->begins[i + 1] - flat->begins[i]);
    }
    qsort(pieces, (size_t)n, sizeof *pieces, range_order);
    for (long i = 1; i < n; ++i) {
        const char *end = pieces[last].high > pieces[i].high ? pieces[last].high : pieces[i].high;
        if (pieces[i].low >= pieces[last].high && !dsm_filled(pieces[i - 1].low, pieces[i].low))
            pieces[++last] = pieces[i];
        else
            pieces[last].high = end;
    }
    return last + 1;
}

static void watch_begin(struct orrery_flat *flat) {
    dsm_watch_end(flat->watch);
    flat->watch = NULL;
    if (++flat->same <= SAME_BEFORE || flat->alarms == ALARMS || flat->outer < MANY ||
        flat->outer >= INT32_MAX || dsm_ranks() > 1)
        return;
    flat->alarms += 1;
    struct dsm_range *pieces = dsm_own_alloc((size_t)(flat->outer + 1) * sizeof *pieces);
    int n = pieces_make(flat, pieces);
    if ((long)n * MANY <= flat->outer)
        flat->watch = dsm_watch_start(n, pieces);
    dsm_own_free(pieces);
    if (flat->watch && dsm_watch_compared(flat->watch) <= (size_t)flat->outer * TO_COMPARE)
        return;
    flat->alarms = ALARMS;
    dsm_watch_end(flat->watch);
    flat->watch = NULL;
}

/* The shape is the one that was gathered. */
static bool is_untouched(const struct orrery_flat *flat) {
    return flat->watch && !dsm_watch_changed(flat->watch);
}

static bool is_nested(const struct orrery_shape *shape) {
    return shape->tables > 1 && shape->table;
}

/*
 * Which tables have the pointers that they had? To look at each is a tenth of finding the block of
 * each. Blocks are what they were when the epoch is.
 */
static void look_at_all(struct orrery_state *state, unsigned long epoch) {
    struct look look = {.state = state};
    for (int i = 0; i < state->nshapes; ++i) {
        struct orrery_flat *flat = &state->flat[i];
        bool holds = is_nested(&state->shapes[i]) && flat->known && flat->epoch == epoch &&
                     memcmp(&flat->shape, &state->shapes[i], sizeof flat->shape) == 0;
        flat->untouched = holds && is_untouched(flat);
        holds = holds && !flat->untouched;
        atomic_store_explicit(&flat->holds, holds, memory_order_relaxed);
        look.outer = holds && flat->outer > look.outer ? flat->outer : look.outer;
    }
    look.workers = look.outer < LITTLE ? 1 : orrery_workers_count();
    if (look.workers > 1)
        orrery_workers_run(look_work, &look);
    else
        look_work(&look, 0);
}

static void flat_free(struct orrery_flat *flat) {
    dsm_watch_end(flat->watch);
    dsm_own_free(flat->rows);
    dsm_own_free(flat->firsts);
    dsm_own_free(flat->begins);
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

void orrery_tables_flatten(struct orrery_state *state, unsigned long epoch) {
    look_at_all(state, epoch);
    for (int i = 0; i < state->nshapes; ++i) {
        struct orrery_shape *shape = &state->shapes[i];
        struct orrery_flat *flat = &state->flat[i];
        if (!is_nested(shape))
            continue;
        if (atomic_load_explicit(&flat->holds, memory_order_relaxed))
            watch_begin(flat);
        else if (!flat->untouched)
            gather_anew(flat, shape, epoch);
        shape->table = flat->rows;
        shape->table_step = 0;
        shape->pieces = flat->known ? flat->count : 0;
    }
}
