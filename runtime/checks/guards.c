/* What the analysis left to the run: sizes of objects, guards. */
#include "runtime/base/env.h"
#include "runtime/checks/intervals.h"
#include "runtime/region/region.h"
#include "runtime/region/state.h"

#include "dsm/dsm.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *orrery_piece_address(const struct orrery_shape *shape, long v, long q) {
    if (orrery_shape_by_pieces(shape))
        return *orrery_table_entry(shape, q + shape->table_offset) + shape->row_offset +
               v * shape->row_stride;
    return orrery_row_address(shape, v) + q * shape->piece_stride;
}

char *orrery_row_address(const struct orrery_shape *shape, long v) {
    if (orrery_shape_by_pieces(shape))
        return orrery_piece_address(shape, v, 0);
    if (shape->table)
        return *orrery_table_entry(shape, v + shape->table_offset) + shape->row_offset;
    return shape->base + shape->row_offset + v * shape->row_stride;
}

size_t orrery_shape_extent(const struct orrery_shape *shape) {
    char *base;
    size_t bytes;
    if (shape->extent)
        return shape->extent;
    if (!shape->base || !dsm_find(shape->base, &base, &bytes))
        return shape->base ? shape->reach : 0;
    return (size_t)(base + bytes - shape->base);
}

/* Nothing of it is touched in this run. */
static bool is_absent(const struct orrery_shape *shape) {
    return !shape->base && !shape->table && !shape->extent;
}

size_t orrery_reduction_bytes(const struct orrery_loop *loop, int j,
                              const struct orrery_shape *shapes) {
    const struct orrery_reduction *reduction = &loop->reductions[j];
    if (reduction->array < 0)
        return reduction->size;
    if (is_absent(&shapes[reduction->array]))
        return 0;
    size_t bytes = orrery_shape_extent(&shapes[reduction->array]) / reduction->size;
    if (!bytes && !loop->allow_fallback)
        orrery_fail(
            loop,
            "%s:%d: the size of %s, which every row of the grid needs a copy of, is not known; "
            "declare it in the loop's body, allocate it with malloc or calloc, or, of a pointer, "
            "say "
            "extent(%s : n) in the pragma",
            loop->file, loop->line, reduction->name, reduction->name);
    return bytes * reduction->size;
}

size_t orrery_reduction_front(const struct orrery_loop *loop, int j,
                              const struct orrery_shape *shapes) {
    enum { LINE = 64 };
    const struct orrery_reduction *reduction = &loop->reductions[j];
    const struct orrery_shape *shape = reduction->array < 0 ? NULL : &shapes[reduction->array];
    char *base;
    size_t bytes;
    if (!shape || !reduction->in_front || !orrery_is_folded(reduction) || !shape->base ||
        shape->table || !dsm_find(shape->base, &base, &bytes))
        return 0;
    return ((size_t)(shape->base - base) + LINE - 1) / LINE * LINE;
}

/* ---- guards ---------------------------------------------------------------------------------- */

/* Addresses [low, high) of row v. */
struct stretch {
    const char *low, *high;
    long row;
};

/* A row whose length is not known may reach anywhere. */
static struct stretch row_stretch(const struct orrery_shape *shape, long v) {
    const char *at = orrery_row_address(shape, v);
    size_t length = orrery_row_length(shape, v);
    return (struct stretch){at, length ? at + length : (const char *)UINTPTR_MAX, v};
}

/* Where what the loop can reach begins: at the base, or with the allocation that it points into. */
static const char *front_of(const struct orrery_shape *shape) {
    char *base;
    size_t bytes;
    return shape->in_front && dsm_find(shape->base, &base, &bytes) ? base : shape->base;
}

/* No iteration has a key for any of its rows. */
static bool has_no_rows(const struct orrery_loop *loop, int a, const struct orrery_dim *dims) {
    int d = loop->arrays[a].dim;
    return d >= 0 && dims[d].low > dims[d].high;
}

/* All of an array that the loop can reach, which has rows; false when it is not known. */
static bool whole_stretch(const struct orrery_loop *loop, int a, const struct orrery_shape *shape,
                          const struct orrery_dim *dims, struct stretch *out) {
    int d = loop->arrays[a].dim;
    if (shape->table)
        return false;
    if (d >= 0) {
        struct stretch first = row_stretch(shape, dims[d].low),
                       last = row_stretch(shape, dims[d].high);
        out->low = first.low < last.low ? first.low : last.low;
        out->high = first.high > last.high ? first.high : last.high;
        return true;
    }
    size_t extent = orrery_shape_extent(shape);
    *out = (struct stretch){front_of(shape), shape->base + extent, 0};
    return extent > 0;
}

static int by_address(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* A table of pieces: what the keys select of each piece. */
static struct stretch *pieces_listed(const struct orrery_shape *shape, const struct orrery_dim *dim,
                                     long *n) {
    *n = dim->low <= dim->high ? shape->pieces : 0;
    struct stretch *list = dsm_own_alloc((size_t)(*n + 1) * sizeof *list);
    for (long q = 0; q < *n; ++q) {
        struct dsm_range piece = orrery_piece_stretch(shape, dim, q);
        list[q] = (struct stretch){piece.low, piece.high, q};
    }
    return list;
}

/* A table that is not cut: all that it leads to. */
static struct stretch *table_listed(const struct orrery_shape *shape, long *n) {
    struct dsm_range *rows;
    *n = orrery_table_rows(shape, &rows);
    struct stretch *list = dsm_own_alloc((size_t)(*n + 1) * sizeof *list);
    for (long i = 0; i < *n; ++i)
        list[i] = (struct stretch){rows[i].low, rows[i].high, i};
    dsm_own_free(rows);
    return list;
}

static struct stretch *rows_listed(const struct orrery_shape *shape, const struct orrery_dim *dim,
                                   long *n) {
    long range = dim ? orrery_dim_range(dim) : 0;
    struct stretch *rows = dsm_own_alloc((size_t)(range + 1) * sizeof *rows);
    *n = 0;
    for (long i = 0; i < range; ++i)
        if (orrery_dim_has(dim, i))
            rows[(*n)++] = row_stretch(shape, dim->low + i);
    return rows;
}

/* Rows of an array as stretches by address, NULL: nobody asked for them yet. */
struct rows {
    struct stretch *list;
    long n;
};

/* What the guards of one region are asked of: the shape and the rows of each array, the dims. */
struct memory {
    const struct orrery_loop *loop;
    const struct orrery_shape *shapes;
    const struct orrery_dim *dims;
    struct rows *rows;
};

static bool are_sorted(const struct stretch *rows, long n) {
    for (long i = 1; i < n; ++i)
        if (rows[i].low < rows[i - 1].low)
            return false;
    return true;
}

/* The rows that occur of one array. Several guards ask for those of the same one. */
static const struct rows *rows_sorted(const struct memory *memory, int a) {
    const struct orrery_shape *shape = &memory->shapes[a];
    struct rows *rows = &memory->rows[a];
    const int d = memory->loop->arrays[a].dim;
    const struct orrery_dim *dim = d < 0 ? NULL : &memory->dims[d];
    if (rows->list)
        return rows;
    rows->list = !dim && shape->table            ? table_listed(shape, &rows->n)
                 : orrery_shape_by_pieces(shape) ? pieces_listed(shape, dim, &rows->n)
                                                 : rows_listed(shape, dim, &rows->n);
    if (!are_sorted(rows->list, rows->n))
        qsort(rows->list, (size_t)rows->n, sizeof *rows->list, by_address);
    return rows;
}

static bool rows_disjoint(const struct memory *memory, int a, char *text, size_t size) {
    const struct orrery_loop *loop = memory->loop;
    const struct orrery_shape *shape = &memory->shapes[a];
    const struct orrery_dim *dims = memory->dims;
    long bad = -1;
    long span = (shape->pieces - 1) * shape->piece_stride + shape->piece_bytes;
    if (!shape->table && labs(shape->row_stride) >= span)
        return true;
    bool woven =
        !shape->table && shape->pieces > 1 && labs(shape->row_stride) >= shape->piece_bytes;
    int d = loop->arrays[a].dim;
    if (woven && d >= 0 &&
        (__int128)(dims[d].high - dims[d].low) * labs(shape->row_stride) + shape->piece_bytes <=
            shape->piece_stride)
        return true;
    const struct rows *rows = rows_sorted(memory, a);
    for (long i = 1; i < rows->n && bad < 0; ++i)
        if (rows->list[i].low < rows->list[i - 1].high)
            bad = i;
    if (bad >= 0)
        snprintf(text, size, "rows %ld and %ld of %s share memory, as far as their length is known",
                 rows->list[bad - 1].row, rows->list[bad].row, loop->arrays[a].name);
    return bad < 0;
}

/* Two arrays of equal stride that lie in each other's gaps, such as fields of one struct. */
static bool interleaved(const struct orrery_shape *a, const struct orrery_shape *b) {
    if (a->table || b->table || a->row_stride != b->row_stride || a->row_stride <= 0 ||
        a->pieces != 1 || b->pieces != 1)
        return false;
    long stride = a->row_stride;
    long gap = ((b->base + b->row_offset) - (a->base + a->row_offset)) % stride;
    gap = gap < 0 ? gap + stride : gap;
    return gap >= a->piece_bytes && gap + b->piece_bytes <= stride;
}

/* The rows of an array, or all of it where it has none: `whole`, which the caller has. */
static struct rows rows_or_whole(const struct memory *memory, int a, struct stretch *whole) {
    struct rows rows = *rows_sorted(memory, a);
    if (rows.n == 0 && whole_stretch(memory->loop, a, &memory->shapes[a], memory->dims, whole))
        rows = (struct rows){whole, 1};
    return rows;
}

/* At least one of the two has its rows anywhere: both as sorted stretches, merged. */
static bool tables_apart(const struct memory *memory, int a, int b) {
    struct stretch all_of_a, all_of_b;
    const struct rows x = rows_or_whole(memory, a, &all_of_a);
    const struct rows y = rows_or_whole(memory, b, &all_of_b);
    for (long i = 0, j = 0; i < x.n && j < y.n;)
        if (x.list[i].high <= y.list[j].low)
            ++i;
        else if (y.list[j].high <= x.list[i].low)
            ++j;
        else
            return false;
    return true;
}

/*
 * One of the two is not known in size. An object does not reach from one allocation into another,
 * so it is enough that it begins outside of the other's; but what begins a little in front of it
 * is taken for a pointer into it, moved for subscripts that do not begin at 0.
 */
static bool begins_outside(const struct orrery_shape *unknown, const struct stretch *known) {
    enum { MOVED_MOST = 64 };
    char *base;
    size_t bytes;
    uintptr_t at = (uintptr_t)unknown->base;
    if (!dsm_find(known->low, &base, &bytes))
        return false;
    bool moved = at < (uintptr_t)base && (uintptr_t)base - at <= MOVED_MOST;
    return !moved && (at < (uintptr_t)base || at >= (uintptr_t)base + bytes);
}

static bool no_overlap(const struct memory *memory, int a, int b, char *text, size_t size) {
    const struct orrery_loop *loop = memory->loop;
    const struct orrery_shape *shapes = memory->shapes;
    const struct orrery_dim *dims = memory->dims;
    struct stretch x, y;
    bool apart;
    if (has_no_rows(loop, a, dims) || has_no_rows(loop, b, dims))
        return true;
    if (shapes[a].table || shapes[b].table) {
        apart = tables_apart(memory, a, b);
    } else {
        bool knows_a = whole_stretch(loop, a, &shapes[a], dims, &x);
        bool knows_b = whole_stretch(loop, b, &shapes[b], dims, &y);
        if (knows_a && knows_b)
            apart = x.high <= y.low || y.high <= x.low || interleaved(&shapes[a], &shapes[b]);
        else
            apart = (knows_a && begins_outside(&shapes[b], &x)) ||
                    (knows_b && begins_outside(&shapes[a], &y));
    }
    if (!apart)
        snprintf(text, size, "%s (%s) and %s (%s) share memory, as far as their sizes are known",
                 loop->arrays[a].name, loop->arrays[a].where, loop->arrays[b].name,
                 loop->arrays[b].where);
    return apart;
}

static long floor_divide(long a, long b) {
    return a / b - (a % b < 0);
}

/* Guards that speak of single iterations, asked by all workers. `bad`: the first that fails. */
struct iterations_check {
    const struct orrery_loop *loop;
    int guard;
    const void *env;
    long count;
    int workers;
    _Atomic long bad;
};

static void check_share(void *data, int worker) {
    struct iterations_check *check = data;
    long end = orrery_share(check->count, worker + 1, check->workers);
    for (long i = orrery_share(check->count, worker, check->workers); i < end; ++i)
        if (!check->loop->holds_at(check->env, i, check->guard)) {
            long seen = atomic_load(&check->bad);
            while ((seen < 0 || i < seen) && !atomic_compare_exchange_weak(&check->bad, &seen, i))
                continue;
            return;
        }
}

static bool iterations_hold(const struct orrery_loop *loop, int guard, const void *env, long count,
                            char *text, size_t size) {
    struct iterations_check check = {loop, guard, env, count, orrery_workers_count(), -1};
    orrery_workers_run(check_share, &check);
    snprintf(text, size, "%s is false for iteration %ld", loop->guards[guard].text,
             atomic_load(&check.bad));
    return atomic_load(&check.bad) < 0;
}

/* The columns that the keys select lie inside one line of the matrix: none runs into the next. */
static bool inside_piece(const struct orrery_loop *loop, int a, const struct orrery_shape *shape,
                         const struct orrery_dim *dims, char *text, size_t size) {
    int d = loop->arrays[a].dim;
    if (d >= 0 && dims[d].low > dims[d].high)
        return true;
    if (d < 0 || shape->table || shape->pieces < 2 || shape->piece_stride <= 0) {
        snprintf(text, size, "this cannot be checked for %s (%s)", loop->arrays[a].name,
                 loop->arrays[a].where);
        return false;
    }
    long first = shape->row_offset + dims[d].low * shape->row_stride;
    long last = shape->row_offset + dims[d].high * shape->row_stride + shape->piece_bytes - 1;
    snprintf(text, size, "%s = %ld to %ld runs over the end of a line of %s (%s)",
             orrery_dim_name(loop, d), dims[d].low, dims[d].high, loop->arrays[a].name,
             loop->arrays[a].where);
    return floor_divide(first, shape->piece_stride) == floor_divide(last, shape->piece_stride);
}

static bool both_exist(const struct orrery_guard *guard, const struct orrery_shape *shapes) {
    return (guard->a < 0 || orrery_shape_exists(&shapes[guard->a])) &&
           (guard->b < 0 || orrery_shape_exists(&shapes[guard->b]));
}

void orrery_format(char *text, unsigned long size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
}

static bool condition_holds(const struct orrery_guard *guard, const void *env, char *text,
                            size_t size) {
    char values[256] = "";
    if (guard->holds(env))
        return true;
    if (guard->show)
        guard->show(env, values, sizeof values);
    snprintf(text, size, "%s is false%s%s", guard->text, *values ? ": " : "", values);
    return false;
}

static bool guard_holds(const struct memory *memory, const struct orrery_guard *guard,
                        const void *env, long count, char *text, size_t size) {
    const struct orrery_loop *loop = memory->loop;
    const struct orrery_shape *shapes = memory->shapes;
    const struct orrery_dim *dims = memory->dims;
    if (guard->kind != ORRERY_CONDITION && !both_exist(guard, shapes))
        return true;
    switch (guard->kind) {
    case ORRERY_NO_OVERLAP:
        return no_overlap(memory, guard->a, guard->b, text, size);
    case ORRERY_ROWS_DISJOINT:
        return rows_disjoint(memory, guard->a, text, size);
    case ORRERY_KEY_RANGE:
        if (loop->holds_at)
            return iterations_hold(loop, (int)(guard - loop->guards), env, count, text, size);
        return inside_piece(loop, guard->a, &shapes[guard->a], dims, text, size);
    case ORRERY_CONDITION:
        return condition_holds(guard, env, text, size);
    case ORRERY_APART:
    case ORRERY_TABLES:
    case ORRERY_MONOTONE:
    case ORRERY_INJECTIVE:
    case ORRERY_EMPTY:
        return orrery_intervals_check(loop->state, (int)(guard - loop->guards), env, count, text,
                                      size);
    }
    return true;
}

/* Nothing tells when what it reads changes: without an inspection nobody watches the keys. */
static bool is_volatile(const struct orrery_loop *loop, const struct orrery_guard *guard) {
    return guard->kind == ORRERY_CONDITION || (guard->kind == ORRERY_KEY_RANGE && !loop->by_key);
}

/* The user's word is taken, but for a run that verifies. */
static bool is_asked(const struct orrery_guard *guard, bool all) {
    return all || !guard->assumed;
}

static bool has_intervals(const struct orrery_loop *loop, bool all) {
    for (int g = 0; g < loop->nguards; ++g)
        if (orrery_guard_intervals(&loop->guards[g]) && is_asked(&loop->guards[g], all))
            return true;
    return false;
}

int orrery_not_ready(const struct orrery_loop *loop) {
    if (loop->allow_fallback != 2 || orrery_env()->stats)
        fprintf(stderr,
                "orrery: %s:%d: runs serially: a pointer that it follows under a condition leads "
                "nowhere\n",
                loop->file, loop->line);
    return 0;
}

int orrery_as_written(struct orrery_loop *loop, const char *why) {
    if (!loop->written && (loop->allow_fallback != 2 || orrery_env()->stats))
        fprintf(stderr, "orrery: %s:%d: runs serially: as it is written, where %s (said once)\n",
                loop->file, loop->line, why);
    loop->written = 1;
    return 0;
}

/* A reduction into an array of which nobody knows how long it is. */
static const char *unknown_size(const struct orrery_loop *loop, const struct orrery_shape *shapes) {
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_reduction_bytes(loop, j, shapes) == 0 &&
            !is_absent(&shapes[loop->reductions[j].array]))
            return loop->reductions[j].name;
    return NULL;
}

/*
 * A private array whose last values are kept is copied from its pointer on, up to the last element
 * that the loop touches. What lies in front of the first one need not be there.
 */
static const char *not_all_there(const struct orrery_loop *loop, const void *env,
                                 const struct orrery_shape *shapes) {
    for (int j = 0; j < loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &loop->reductions[j];
        size_t bytes, wanted = orrery_reduction_bytes(loop, j, shapes);
        char *base, *target = orrery_target_of(loop, j, env);
        if (reduction->op == ORRERY_LAST && reduction->array >= 0 && wanted &&
            !(dsm_find(target, &base, &bytes) && target + wanted <= base + bytes) &&
            !orrery_readable(target, wanted))
            return reduction->name;
    }
    return NULL;
}

/* What stands in the way of copies: 0, or the loop runs serially. */
static int copies_check(const struct orrery_loop *loop, const void *env,
                        const struct orrery_shape *shapes) {
    char text[256];
    const char *endless = unknown_size(loop, shapes);
    const char *cut = endless ? NULL : not_all_there(loop, env, shapes);
    if (cut && !loop->allow_fallback)
        orrery_fail(loop,
                    "%s:%d: the memory of %s, which every row of the grid needs a copy of, is not "
                    "all there between its pointer and what the loop touches; let it point to the "
                    "start of its memory, or build with -allow-fallback",
                    loop->file, loop->line, cut);
    if (!endless && !cut)
        return 0;
    snprintf(text, sizeof text,
             endless ? "the size of %s is not known"
                     : "the memory in front of what it touches of %s is not there",
             endless ? endless : cut);
    return orrery_fall_back(loop, text);
}

/* As long as nothing moves it fails again. */
static void note_overlap(struct orrery_state *state, const struct orrery_guard *guard,
                         const char *text) {
    bool stays = guard->kind == ORRERY_NO_OVERLAP || guard->kind == ORRERY_ROWS_DISJOINT;
    dsm_own_free(state->overlap);
    state->overlap = stays ? dsm_own_alloc(strlen(text) + 1) : NULL;
    state->overlap_epoch = state->epoch;
    if (stays)
        strcpy(state->overlap, text);
}

/* Sizes that a program's allocator knows a library's loops have to be told. */
static const char *remedy_of(const struct orrery_guard *guard) {
    if (guard->assumed)
        return "remove the clause, or correct the data";
    if (dsm_is_guest() && guard->kind == ORRERY_NO_OVERLAP && dsm_lent_epoch() == 0)
        return "tell orrery_try of the memory, link the library with -own-memory if it is the "
               "library's own (docs/shared.md), say its size by extent() in the pragma, or build "
               "with -allow-fallback to run the loop serially on such data";
    return "correct the data, or build with -allow-fallback to run the loop serially on such data";
}

/* `known`: nothing that the intervals were made of has changed. NULL: all hold. */
static const struct orrery_guard *first_false(const struct memory *memory, const void *env,
                                              long count, bool changed, bool known, char *text,
                                              size_t size) {
    const struct orrery_loop *loop = memory->loop;
    const bool all = orrery_env()->verify || orrery_env()->replay;
    for (int g = 0; g < loop->nguards; ++g) {
        const struct orrery_guard *guard = &loop->guards[g];
        bool fresh = orrery_guard_intervals(guard) ? !known : changed || is_volatile(loop, guard);
        if (is_asked(guard, all) && fresh && !guard_holds(memory, guard, env, count, text, size))
            return guard;
    }
    return NULL;
}

int orrery_guards_check(const struct orrery_loop *loop, const void *env, long count, bool changed,
                        const struct orrery_shape *shapes, const struct orrery_dim *dims) {
    bool all = orrery_env()->verify || orrery_env()->replay;
    bool known = !has_intervals(loop, all) || orrery_intervals_hold(loop->state, env, count);
    char text[512] = "";
    if (!known)
        orrery_intervals_forget(loop->state);
    if (copies_check(loop, env, shapes))
        return 1;
    struct rows rows[loop->narrays + 1];
    memset(rows, 0, sizeof rows);
    const struct memory memory = {loop, shapes, dims, rows};
    const struct orrery_guard *wrong =
        first_false(&memory, env, count, changed, known, text, sizeof text);
    for (int a = 0; a < loop->narrays; ++a)
        dsm_own_free(rows[a].list);
    if (wrong) {
        const char *said = wrong->assumed ? "the pragma's assume does not hold"
                                          : "the loop cannot run in parallel on these data";
        if (!loop->allow_fallback || wrong->assumed)
            orrery_fail(loop, "%s:%d: %s: %s%s%s; %s", loop->file, loop->line, said, text,
                        wrong->text ? "; needed: " : "", wrong->text ? wrong->text : "",
                        remedy_of(wrong));
        note_overlap(loop->state, wrong, text);
        return orrery_fall_back(loop, text);
    }
    if (!known) {
        orrery_intervals_keep(loop->state, env, count);
        ((struct orrery_state *)loop->state)->moved = true;
    }
    return 0;
}
