#include "runtime/verify.h"

#include "runtime/driver.h"
#include "runtime/env.h"
#include "runtime/sharing.h"
#include "runtime/verify_format.h"

#include "dsm/dsm.h"

#include <errno.h>

static FILE *out;

static _Noreturn void failed(void) {
    dsm_fail(1, "cannot write ORRERY_VERIFY=%s: %s", orrery_env()->verify, strerror(errno));
}

static void put(const void *data, size_t bytes) {
    if (bytes && fwrite(data, bytes, 1, out) != 1)
        failed();
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

/* Rows behind a table need not have one length. */
static void put_row(const struct orrery_shape *shape, long v) {
    const char *at = orrery_row_address(shape, v);
    if (!shape->piece_bytes)
        put(at, orrery_row_length(shape, v));
    for (long piece = 0; piece < shape->pieces; ++piece)
        put(at + piece * shape->piece_stride, (size_t)shape->piece_bytes);
}

static void put_cut(const struct orrery_array *array, const struct orrery_shape *shape,
                    const struct orrery_dim *dim) {
    struct orrery_verify_item item = {.kind = ORRERY_VERIFY_ARRAY,
                                      .element_size = array->element_size,
                                      .row_bytes = (uint64_t)orrery_row_bytes(shape),
                                      .low = dim->low};
    item.data_bytes = item.row_bytes * (uint64_t)dim->distinct;
    for (long i = 0; !item.row_bytes && i < orrery_dim_range(dim); ++i)
        if (orrery_dim_has(dim, i))
            item.data_bytes += orrery_row_length(shape, dim->low + i);
    put_item(item, array->name);
    for (long i = 0; i < orrery_dim_range(dim); ++i)
        if (orrery_dim_has(dim, i))
            put_row(shape, dim->low + i);
}

static void put_whole(const struct orrery_array *array, const struct orrery_shape *shape) {
    size_t extent = orrery_shape_extent(shape);
    put_item((struct orrery_verify_item){.kind = ORRERY_VERIFY_ARRAY,
                                         .unknown = extent == 0,
                                         .element_size = array->element_size,
                                         .row_bytes = extent,
                                         .data_bytes = extent},
             array->name);
    put(shape->base, extent);
}

static bool has_rows(const struct orrery_shape *shape) {
    return shape->table || orrery_row_bytes(shape) > 0;
}

static void put_array(struct orrery_state *state, int a, const struct orrery_dim *dims) {
    const struct orrery_array *array = &state->loop->arrays[a];
    const struct orrery_shape *shape = &state->shapes[a];
    if (dsm_ranks() > 1)
        orrery_sharing_collect(state, a);
    if (array->dim >= 0 && orrery_shape_exists(shape) && has_rows(shape))
        put_cut(array, shape, &dims[array->dim]);
    else
        put_whole(array, shape);
}

static void put_reduction(const struct orrery_state *state, int j, const void *env) {
    const struct orrery_reduction *reduction = &state->loop->reductions[j];
    bool floating = reduction->type == ORRERY_F32 || reduction->type == ORRERY_F64 ||
                    reduction->type == ORRERY_F80;
    size_t bytes = state->bytes[j];
    put_item((struct orrery_verify_item){.kind = ORRERY_VERIFY_REDUCTION,
                                         .floating = floating && reduction->op != ORRERY_LAST,
                                         .element_size = reduction->size,
                                         .row_bytes = bytes,
                                         .data_bytes = bytes},
             reduction->name);
    put(orrery_target_of(state->loop, j, env), bytes);
}

/* Aligned ones are in the list for guards only. */
static bool is_recorded(const struct orrery_array *array) {
    return array->written && array->placement != ORRERY_ALIGNED;
}

void orrery_verify_record(struct orrery_state *state, const void *env,
                          const struct orrery_region *region) {
    const struct orrery_loop *loop = state->loop;
    if (!orrery_env()->verify)
        return;
    file_open();
    const struct orrery_dim *dims = orrery_dims_of(state);
    struct orrery_verify_region head = {.line = (uint32_t)loop->line,
                                        .contraction = (uint32_t)loop->contraction,
                                        .nitems = (uint32_t)loop->nreductions,
                                        .name_bytes = (uint32_t)strlen(loop->file),
                                        .pass = state->stats.passes + 1,
                                        .iterations = (uint64_t)region->count,
                                        .rows = (uint64_t)region->rows,
                                        .columns = (uint64_t)region->columns};
    for (int a = 0; a < loop->narrays; ++a)
        head.nitems += is_recorded(&loop->arrays[a]);
    put(&head, sizeof head);
    put(loop->file, head.name_bytes);
    for (int a = 0; a < loop->narrays; ++a)
        if (is_recorded(&loop->arrays[a]))
            put_array(state, a, dims);
    for (int j = 0; j < loop->nreductions; ++j)
        put_reduction(state, j, env);
}

void orrery_verify_end(void) {
    if (out && fclose(out))
        failed();
    out = NULL;
}
