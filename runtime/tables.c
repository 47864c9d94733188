/*
 * Rows behind a table of pointers. How long a row is the shape need not say: it cannot be longer
 * than its allocation, and that is enough to prove rows disjoint.
 */
#include "runtime/memory.h"
#include "runtime/region.h"

#include "dsm/dsm.h"

#include <string.h>

size_t orrery_row_length(const struct orrery_shape *shape, long v) {
    char *base;
    size_t bytes;
    if (shape->piece_bytes > 0)
        return (size_t)((shape->pieces - 1) * shape->piece_stride + shape->piece_bytes);
    const char *row = orrery_row_address(shape, v);
    return row && dsm_find(row, &base, &bytes) ? (size_t)(base + bytes - row) : 0;
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

static bool is_table(const struct orrery_state *state, int a) {
    return state->shapes[a].table && state->loop->arrays[a].dim >= 0;
}

bool orrery_tables_hold(const struct orrery_state *state) {
    return !state->tables || !dsm_watch_changed(state->tables);
}

static void watch(struct orrery_state *state, const struct orrery_dim *dims) {
    struct dsm_range ranges[state->loop->narrays + 1];
    int n = 0;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (is_table(state, a)) {
            const struct orrery_dim *dim = &dims[state->loop->arrays[a].dim];
            char **first = state->shapes[a].table + state->shapes[a].table_offset + dim->low;
            long range = orrery_dim_range(dim);
            ranges[n++] = (struct dsm_range){(char *)first, (char *)(first + range)};
        }
    if (state->tables)
        dsm_watch_end(state->tables);
    state->tables = n ? dsm_watch_start(n, ranges) : NULL;
}

void orrery_tables_look(struct orrery_state *state, const struct orrery_dim *dims) {
    for (int a = 0; a < state->loop->narrays; ++a) {
        struct orrery_shape *shape = &state->shapes[a];
        state->row_bytes[a] = 0;
        if (is_table(state, a) && shape->piece_bytes == 0)
            state->row_bytes[a] = common_length(shape, &dims[state->loop->arrays[a].dim]);
    }
    watch(state, dims);
}

void orrery_tables_fill(struct orrery_state *state) {
    for (int a = 0; a < state->loop->narrays; ++a)
        if (state->row_bytes[a]) {
            state->shapes[a].pieces = 1;
            state->shapes[a].piece_bytes = state->row_bytes[a];
        }
}
