#include "runtime/start/verify.h"

#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/merge/merge.h"
#include "runtime/report/verify_format.h"
#include "runtime/report/verify_passes.h"
#include "runtime/share/collect.h"

#include "dsm/dsm.h"

#include <errno.h>
#include <stdint.h>

static FILE *out;

static _Noreturn void failed(void) {
    dsm_fail(1, "cannot write ORRERY_VERIFY=%s: %s", orrery_env()->verify, strerror(errno));
}

static void put(const void *data, size_t bytes) {
    if (bytes && fwrite(data, bytes, 1, out) != 1)
        failed();
}

/* What differs from run to run is zeros in bytes from `distance` behind an element on. */
static void hide_varying(const long *varying, long size, long distance, char *copy, size_t bytes) {
    long begin = -((distance % size + size) % size);
    for (long element = begin; varying && element < (long)bytes; element += size)
        for (const long *v = varying; *v >= 0; v += 2)
            for (long i = 0, b = element + v[0]; i < (v[1] < 0 ? 1 : v[1]); ++i, ++b)
                if (b >= 0 && b < (long)bytes)
                    copy[b] &= (char)(v[1] < 0 ? -v[1] : 0);
}

/* What the array holds there, `distance` bytes behind one of its elements. */
static void put_values(const struct orrery_array *array, long distance, const char *at,
                       size_t bytes) {
    if (!array->varying) {
        put(at, bytes);
        return;
    }
    char *copy = dsm_own_alloc(bytes + 1);
    if (bytes > 0)
        memcpy(copy, at, bytes);
    hide_varying(array->varying, (long)array->element_size, distance, copy, bytes);
    put(copy, bytes);
    dsm_own_free(copy);
}

/* Where elements of piece q of row v are counted from. */
static const char *first_of(const struct orrery_shape *shape, long v, long q) {
    if (!shape->table)
        return shape->base;
    return *orrery_table_entry(shape,
                               (orrery_shape_by_pieces(shape) ? q : v) + shape->table_offset);
}

static void file_open(void) {
    if (out)
        return;
    out = fopen(orrery_env()->verify, "wb");
    if (!out)
        failed();
    put(ORRERY_VERIFY_MAGIC, ORRERY_VERIFY_MAGIC_BYTES);
}

static void put_item(struct orrery_verify_item item, const char *name) {
    item.name_bytes = (uint32_t)strlen(name);
    put(&item, sizeof item);
    put(name, item.name_bytes);
}

static bool has_rows(const struct orrery_shape *shape) {
    return orrery_shape_exists(shape) && orrery_row_bytes(shape) > 0;
}

/* Behind a table of pieces: what the line does not have is zero. */
static void put_clipped(const struct orrery_array *array, const struct orrery_shape *shape,
                        const struct dsm_range *line, long v, long q) {
    const char *at = orrery_piece_address(shape, v, q), *first = first_of(shape, v, q);
    char bytes[256];
    for (long b = 0; b < shape->piece_bytes; b += (long)sizeof bytes) {
        size_t size = (size_t)(shape->piece_bytes - b);
        size = size < sizeof bytes ? size : sizeof bytes;
        for (size_t i = 0; i < size; ++i) {
            const char *byte = at + b + i;
            bytes[i] = (char)(byte >= line->low && byte < line->high ? *byte : 0);
        }
        hide_varying(array->varying, (long)array->element_size, at + b - first, bytes, size);
        put(bytes, size);
    }
}

static void put_row(const struct orrery_array *array, const struct orrery_shape *shape, long v) {
    for (long piece = 0; piece < shape->pieces; ++piece)
        put_values(array, orrery_piece_address(shape, v, piece) - first_of(shape, v, piece),
                   orrery_piece_address(shape, v, piece), (size_t)shape->piece_bytes);
}

/* The rows of a table of pieces. */
static void put_lines(const struct orrery_array *array, const struct orrery_shape *shape,
                      const struct orrery_dim *dim) {
    struct dsm_range *lines = dsm_own_alloc((size_t)(shape->pieces + 1) * sizeof *lines);
    for (long q = 0; q < shape->pieces && orrery_dim_range(dim) > 0; ++q)
        lines[q] = orrery_piece_stretch(shape, dim, q);
    for (long i = 0; i < orrery_dim_range(dim); ++i)
        for (long q = 0; q < shape->pieces && orrery_dim_has(dim, i); ++q)
            put_clipped(array, shape, &lines[q], dim->low + i, q);
    dsm_own_free(lines);
}

/* Which rows there are. */
static void put_keys(const struct orrery_dim *dim) {
    for (long i = 0; i < orrery_dim_range(dim); i += 8) {
        unsigned char bits = 0;
        for (int b = 0; b < 8 && i + b < orrery_dim_range(dim); ++b)
            bits |= (unsigned char)(orrery_dim_has(dim, i + b) << b);
        put(&bits, 1);
    }
}

static void put_cut(const struct orrery_array *array, const struct orrery_shape *shape,
                    const struct orrery_dim *dim) {
    struct orrery_verify_item item = {.kind = ORRERY_VERIFY_ARRAY,
                                      .element_size = array->element_size,
                                      .row_bytes =
                                          has_rows(shape) ? (uint64_t)orrery_row_bytes(shape) : 0,
                                      .low = dim->low};
    bool gaps = dim->distinct != orrery_dim_range(dim);
    item.data_bytes = item.row_bytes * (uint64_t)dim->distinct;
    item.keys_bytes = gaps ? (uint64_t)(orrery_dim_range(dim) + 7) / 8 : 0;
    put_item(item, array->name);
    if (orrery_shape_by_pieces(shape))
        put_lines(array, shape, dim);
    for (long i = 0; i < orrery_dim_range(dim) && !orrery_shape_by_pieces(shape); ++i)
        if (orrery_dim_has(dim, i))
            put_row(array, shape, dim->low + i);
    if (gaps)
        put_keys(dim);
}

/* ---- rows whose length only the allocator knows ---------------------------------------------- */
/* It may count a few bytes more, which nobody sets, so that
 * the change is recorded and not the content. */

static bool is_measured(const struct orrery_state *state, int a) {
    return state->shapes[a].table && (state->row_bytes[a] || !state->shapes[a].piece_bytes);
}

/* The rows that the loop may touch, *n of them, owned by the caller; NULL dim: all of the table's.
 * Those whose end is not known are empty. */
static struct dsm_range *measured_rows(const struct orrery_shape *shape,
                                       const struct orrery_dim *dim, long *n) {
    struct dsm_range *rows;
    if (!dim) {
        *n = orrery_table_rows(shape, &rows);
        for (long i = 0; i < *n; ++i)
            if (rows[i].high == (const char *)UINTPTR_MAX)
                rows[i].high = rows[i].low;
        return rows;
    }
    rows = dsm_own_alloc((size_t)(orrery_dim_range(dim) + 1) * sizeof *rows);
    *n = 0;
    for (long i = 0; i < orrery_dim_range(dim); ++i)
        if (orrery_dim_has(dim, i)) {
            const char *row = orrery_row_address(shape, dim->low + i);
            rows[(*n)++] = (struct dsm_range){row, row + orrery_row_length(shape, dim->low + i)};
        }
    return rows;
}

static size_t measured_bytes(const struct orrery_shape *shape, const struct orrery_dim *dim) {
    long n;
    size_t bytes = 0;
    struct dsm_range *rows = measured_rows(shape, dim, &n);
    for (long i = 0; i < n; ++i)
        bytes += (size_t)(rows[i].high - rows[i].low);
    dsm_own_free(rows);
    return bytes;
}

/* to[] = what the rows hold, combined with what is there already. */
static void measured_add(const struct orrery_array *array, const struct orrery_shape *shape,
                         const struct orrery_dim *dim, char *to) {
    long n;
    struct dsm_range *rows = measured_rows(shape, dim, &n);
    for (long i = 0; i < n; ++i) {
        size_t bytes = (size_t)(rows[i].high - rows[i].low);
        for (size_t b = 0; b < bytes; ++b)
            to[b] ^= rows[i].low[b];
        hide_varying(array->varying, (long)array->element_size, dim ? shape->row_offset : 0, to,
                     bytes);
        to += bytes;
    }
    dsm_own_free(rows);
}

static const struct orrery_dim *dim_of(const struct orrery_state *state, int a) {
    int d = state->loop->arrays[a].dim;
    return d < 0 ? NULL : &orrery_dims_of(state)[d];
}

void orrery_verify_call(struct orrery_loop *loop) {
    if (orrery_env()->verify)
        orrery_state_of(loop)->stats->calls += 1;
}

void orrery_verify_before(struct orrery_state *state) {
    if (!orrery_env()->verify)
        return;
    if (!state->before)
        state->before =
            orrery_memory_aligned((size_t)(state->loop->narrays + 1) * sizeof *state->before);
    for (int a = 0; a < state->loop->narrays; ++a) {
        if (!is_measured(state, a) || !state->loop->arrays[a].written)
            continue;
        const struct orrery_dim *dim = dim_of(state, a);
        if (dsm_ranks() > 1)
            orrery_sharing_collect(state, a);
        orrery_memory_free(state->before[a]);
        state->before[a] = orrery_memory_aligned(measured_bytes(&state->shapes[a], dim) + 1);
        measured_add(&state->loop->arrays[a], &state->shapes[a], dim, state->before[a]);
    }
}

static void put_measured(struct orrery_state *state, int a, const struct orrery_dim *dim) {
    const struct orrery_array *array = &state->loop->arrays[a];
    const struct orrery_shape *shape = &state->shapes[a];
    struct orrery_verify_item item = {
        .kind = ORRERY_VERIFY_ARRAY,
        .change = 1,
        .element_size = array->element_size,
        .row_bytes = state->row_bytes[a] > 0 ? (uint64_t)state->row_bytes[a] : 0,
        .data_bytes = measured_bytes(shape, dim),
        .low = dim ? dim->low : 0};
    put_item(item, array->name);
    measured_add(array, shape, dim, state->before[a]);
    put(state->before[a], item.data_bytes);
}

/* Late statements change it: no replay has the serial loop's values. */
static bool is_late(const struct orrery_loop *loop, int a) {
    return loop->nlate && loop->delayed[a];
}

static void put_whole(const struct orrery_array *array, const struct orrery_shape *shape,
                      bool late) {
    size_t extent = orrery_shape_extent(shape);
    put_item((struct orrery_verify_item){.kind = ORRERY_VERIFY_ARRAY,
                                         .unknown = extent == 0,
                                         .merged = late,
                                         .element_size = array->element_size,
                                         .row_bytes = extent,
                                         .data_bytes = extent},
             array->name);
    put_values(array, 0, shape->base, extent);
}

static void put_array(struct orrery_state *state, int a, const struct orrery_dim *dims) {
    const struct orrery_array *array = &state->loop->arrays[a];
    const struct orrery_shape *shape = &state->shapes[a];
    if (dsm_ranks() > 1)
        orrery_sharing_collect(state, a);
    if (is_measured(state, a))
        put_measured(state, a, dim_of(state, a));
    else if (array->dim >= 0 && (has_rows(shape) || shape->table))
        put_cut(array, shape, &dims[array->dim]);
    else
        put_whole(array, shape, is_late(state->loop, a));
}

/* Of structures what is folded; pointers in them differ from run to run. */
static void put_folded(const struct orrery_reduction *reduction, const char *value, size_t bytes) {
    char *element = dsm_own_alloc(reduction->size);
    memset(element, 0, reduction->size);
    for (size_t at = 0; at + reduction->size <= bytes; at += reduction->size) {
        for (int f = 0; f < reduction->nfields; ++f) {
            const struct orrery_field *field = &reduction->fields[f];
            for (long i = 0; i < field->count; ++i) {
                const long place = field->offset + i * field->step;
                memcpy(element + place, value + at + place, field->size);
            }
        }
        put(element, reduction->size);
    }
    dsm_own_free(element);
    put(value + bytes - bytes % reduction->size, bytes % reduction->size);
}

static void put_reduction(const struct orrery_state *state, int j, const void *value) {
    const struct orrery_reduction *reduction = &state->loop->reductions[j];
    size_t bytes = state->bytes[j];
    put_item((struct orrery_verify_item){.kind = ORRERY_VERIFY_REDUCTION,
                                         .floating = orrery_is_rounded(reduction),
                                         .merged = orrery_is_merged(reduction),
                                         .element_size = reduction->size,
                                         .row_bytes = bytes,
                                         .data_bytes = bytes},
             reduction->name);
    if (reduction->op == ORRERY_FIELDS) {
        put_folded(reduction, value, bytes);
        return;
    }
    char *copy = dsm_own_alloc(bytes + 1);
    if (bytes > 0)
        memcpy(copy, value, bytes);
    hide_varying(reduction->varying, (long)reduction->size, 0, copy, bytes);
    put(copy, bytes);
    dsm_own_free(copy);
}

/* Aligned ones are in the list for guards only. */
static bool is_recorded(const struct orrery_array *array) {
    return array->written && array->placement != ORRERY_ALIGNED;
}

static struct orrery_verify_region head_of(const struct orrery_region *region, long pass) {
    return (struct orrery_verify_region){.line = (uint32_t)region->loop->line,
                                         .contraction = (uint32_t)region->loop->contraction,
                                         .automatic = region->loop->allow_fallback == 2,
                                         .name_bytes = (uint32_t)strlen(region->loop->file),
                                         .pass = region->stats->calls + 1 + (uint64_t)pass -
                                                 (uint64_t)region->passes,
                                         .iterations = (uint64_t)region->count,
                                         .rows = (uint64_t)region->blocks.rows,
                                         .columns = (uint64_t)region->blocks.columns};
}

static void put_head(struct orrery_verify_region head, const char *file) {
    file_open();
    put(&head, sizeof head);
    put(file, head.name_bytes);
}

/* What a pass folds to when others follow it in the region: from the identity on. */
static void put_between(const struct orrery_state *state, const struct orrery_region *region,
                        long pass) {
    const struct orrery_loop *loop = state->loop;
    struct orrery_verify_region head = head_of(region, pass);
    head.between = 1;
    for (int j = 0; j < loop->nreductions; ++j)
        head.nitems += orrery_is_folded(&loop->reductions[j]);
    put_head(head, loop->file);
    for (int j = 0; j < loop->nreductions; ++j) {
        char *value = dsm_own_alloc(state->bytes[j] + 1);
        if (orrery_kept_fold(region, j, pass, value))
            put_reduction(state, j, value);
        dsm_own_free(value);
    }
}

/* An array each, since what is served on several ranks is not here. */
void orrery_verify_merged(const struct orrery_region *region) {
    const struct orrery_merge *merge = region->merge;
    if (!orrery_env()->verify || dsm_rank() != 0)
        return;
    for (int i = 0; i < merge->narrays; ++i) {
        struct orrery_verify_region head = head_of(region, 0);
        head.between = 1;
        head.merge = (uint32_t)region->phase + 1;
        head.nitems = 1;
        put_head(head, region->loop->file);
        put_reduction(region->loop->state, merge->arrays[i].reduction, merge->arrays[i].target);
    }
}

void orrery_verify_record(struct orrery_state *state, const void *env,
                          const struct orrery_region *region) {
    const struct orrery_loop *loop = state->loop;
    if (!orrery_env()->verify)
        return;
    for (long pass = 0; region->kept && pass + 1 < region->passes; ++pass)
        put_between(state, region, pass);
    const struct orrery_dim *dims = orrery_dims_of(state);
    struct orrery_verify_region head = head_of(region, region->passes - 1);
    for (int a = 0; a < loop->narrays; ++a)
        head.nitems += is_recorded(&loop->arrays[a]);
    for (int j = 0; j < loop->nreductions; ++j)
        head.nitems += loop->reductions[j].op != ORRERY_PRIVATE;
    put_head(head, loop->file);
    for (int a = 0; a < loop->narrays; ++a)
        if (is_recorded(&loop->arrays[a]))
            put_array(state, a, dims);
    for (int j = 0; j < loop->nreductions; ++j)
        if (loop->reductions[j].op != ORRERY_PRIVATE)
            put_reduction(state, j, orrery_target_of(loop, j, env));
}

void orrery_verify_end(void) {
    if (out && fclose(out))
        failed();
    out = NULL;
}
