/* What the analysis left to the run: keys lie inside their arrays. */
#include "runtime/base/output.h"
#include "runtime/region/region.h"

#include "dsm/dsm.h"

#include <stdlib.h>

/* Piece q of all rows behind a table of pieces, as an array of its own. */
static struct orrery_shape shape_piece(const struct orrery_shape *shape, long q) {
    return (struct orrery_shape){.base = *orrery_table_entry(shape, q + shape->table_offset),
                                 .row_offset = shape->row_offset,
                                 .row_stride = shape->row_stride,
                                 .pieces = 1,
                                 .piece_bytes = shape->piece_bytes};
}

/* The memory that holds the starts of an array's rows:
 * the table of rows, or the rows themselves. */
static bool rows_memory(const struct orrery_shape *shape, char **low, size_t *bytes) {
    if (shape->table)
        return dsm_find(shape->table, low, bytes);
    if (shape->extent) {
        *low = shape->base;
        *bytes = shape->extent;
        return true;
    }
    return shape->row_stride && dsm_find(shape->base, low, bytes);
}

static const char *row_start(const struct orrery_shape *shape, long v) {
    if (shape->table)
        return (const char *)orrery_table_entry(shape, v + shape->table_offset);
    return (const char *)((uintptr_t)shape->base + (uintptr_t)shape->row_offset +
                          (uintptr_t)v * (uintptr_t)shape->row_stride);
}

static bool inside(const struct orrery_shape *shape, const char *low, size_t bytes, long v) {
    __int128 stride = shape->table ? orrery_table_step(shape) : shape->row_stride;
    const char *zero = row_start(shape, 0);
    __int128 at = (__int128)(zero - low) + v * stride;
    return at >= 0 && at < (__int128)bytes;
}

/* Rows that exist: [first, last] around the valid ones, for the message. */
static void rows_valid(const struct orrery_shape *shape, const char *low, size_t bytes, long *first,
                       long *last) {
    long stride = shape->table ? orrery_table_step(shape) : shape->row_stride;
    long offset = (long)(row_start(shape, 0) - low);
    *first = -(offset / stride);
    *last = *first + (long)(bytes / (size_t)labs(stride)) - 1;
}

/* A key is taken for what a subscript says, which may not be so: then that is what is wrong. */
static void blame_guards(const struct orrery_loop *loop, const void *env, long iteration) {
    for (int g = 0; iteration >= 0 && loop->holds_at && g < loop->nguards; ++g)
        if (loop->guards[g].kind == ORRERY_KEY_RANGE && !loop->holds_at(env, iteration, g))
            dsm_refuse(1,
                       "%s:%d: the loop cannot run in parallel on these data: %s is false for "
                       "iteration %ld",
                       loop->file, loop->line, loop->guards[g].text, iteration);
}

static _Noreturn void out_of_range(const struct orrery_loop *loop, const void *env, long count,
                                   int a, const struct orrery_shape *shape, long v) {
    const struct orrery_array *array = &loop->arrays[a];
    long first = 0, last = 0, iteration = -1;
    int k = loop->nkeys;
    char *low;
    size_t bytes;
    if (rows_memory(shape, &low, &bytes))
        rows_valid(shape, low, bytes, &first, &last);
    if (loop->by_key)
        iteration = orrery_key_find(loop, env, count, array->dim, v, &k);
    blame_guards(loop, env, iteration);
    if (!loop->by_key)
        dsm_refuse(1, "%s:%d: %s = %ld is out of range: %s (%s) has rows %ld to %ld; %s",
                   loop->file, loop->line, orrery_dim_name(loop, array->dim), v, array->name,
                   array->where, first, last,
                   dsm_ranks() > 1
                       ? "if a condition keeps the loop from the others it cannot be divided among "
                         "ranks, run it on one rank (threads work)"
                       : "if the loop ends in front of the others let its bound say so, or build "
                         "with -allow-fallback to run it serially");
    dsm_refuse(1, "%s:%d: iteration %ld: %s = %ld is out of range: %s (%s) has rows %ld to %ld",
               loop->file, loop->line, iteration,
               k < loop->nkeys ? loop->keys[k].name : orrery_dim_name(loop, array->dim), v,
               array->name, array->where, first, last);
}

/* Both ends of the keys lie in one other block: a base pointer that was shifted on purpose, as for
 * subscripts from 1. */
static bool elsewhere(const struct orrery_shape *shape, const struct orrery_dim *dim) {
    char *memory;
    size_t bytes;
    return !shape->table && !shape->extent &&
           dsm_find(row_start(shape, dim->low), &memory, &bytes) &&
           inside(shape, memory, bytes, dim->low) && inside(shape, memory, bytes, dim->high);
}

static void keys_inside(const struct orrery_loop *loop, const void *env, long count, int a,
                        const struct orrery_shape *shape, const struct orrery_dim *dim) {
    char *memory;
    size_t bytes;
    if (!rows_memory(shape, &memory, &bytes))
        return;
    bool low = inside(shape, memory, bytes, dim->low);
    bool high = inside(shape, memory, bytes, dim->high);
    if ((!low || !high) && !elsewhere(shape, dim))
        out_of_range(loop, env, count, a, shape, low ? dim->high : dim->low);
}

/* Every piece behind the table has all the keys. Lines of unlike length are the program's own
 * affair (a triangle) as long as nothing of them travels and the longest ones have every key. */
static void pieces_inside(const struct orrery_loop *loop, const void *env, long count, int a,
                          const struct orrery_shape *shape, const struct orrery_dim *dim) {
    long inside = 0;
    for (long q = 0; q < shape->pieces; ++q) {
        struct dsm_range piece = orrery_piece_stretch(shape, dim, q);
        inside += (size_t)(piece.high - piece.low) == orrery_piece_reach(shape, dim);
    }
    if (inside == shape->pieces || (inside > 0 && dsm_ranks() == 1))
        return;
    if (inside > 0)
        dsm_refuse(1,
                   "%s:%d: the lines of %s (%s) differ in length, and not every %s is in all of "
                   "them, so it cannot be divided among ranks; run it on one rank (threads work)",
                   loop->file, loop->line, loop->arrays[a].name, loop->arrays[a].where,
                   orrery_dim_name(loop, loop->arrays[a].dim));
    for (long q = 0; q < shape->pieces; ++q) {
        struct orrery_shape piece = shape_piece(shape, q);
        keys_inside(loop, env, count, a, &piece, dim);
    }
}

/* An extent() that the allocator knows to be too large. */
static void extents_check(const struct orrery_loop *loop, const struct orrery_shape *shapes) {
    for (int a = 0; a < loop->narrays; ++a) {
        const struct orrery_array *array = &loop->arrays[a];
        char *low;
        size_t bytes;
        if (!shapes[a].said || !shapes[a].base || !dsm_find(shapes[a].base, &low, &bytes))
            continue;
        size_t there = (size_t)(low + bytes - shapes[a].base);
        if (shapes[a].extent > there)
            orrery_fail(
                loop,
                "%s:%d: extent(%s : n) says %lu bytes, but from %s (%s) on its memory has only "
                "%zu; correct the clause, or leave it out: the size is known",
                loop->file, loop->line, array->name, shapes[a].extent, array->name, array->where,
                there);
    }
}

/* Where nothing is divided or copied by the loop's variable a condition may keep the loop from rows
 * that do not exist: not so where an iteration may end the program in front of such rows. */
static bool rows_stay(const struct orrery_loop *loop) {
    return !loop->by_key && !loop->kernel && dsm_ranks() == 1 && !orrery_output_may_end();
}

void orrery_bounds_check(const struct orrery_loop *loop, const void *env, long count,
                         const struct orrery_shape *shapes, const struct orrery_dim *dims) {
    extents_check(loop, shapes);
    for (int a = 0; a < loop->narrays && !rows_stay(loop); ++a) {
        int d = loop->arrays[a].dim;
        if (d < 0 || !orrery_shape_exists(&shapes[a]) || dims[d].low > dims[d].high)
            continue;
        if (orrery_shape_by_pieces(&shapes[a]))
            pieces_inside(loop, env, count, a, &shapes[a], &dims[d]);
        else
            keys_inside(loop, env, count, a, &shapes[a], &dims[d]);
    }
}
