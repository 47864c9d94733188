/* Where rows are, and their packing. */
#include "dsm/arrays/array.h"

#include <string.h>

#define JOIN_GAP 64

static char *piece_home(const struct dsm_array *array, long v, long i) {
    const struct dsm_layout *layout = &array->layout;
    if (layout->piece_table)
        return layout->piece_table[i] + v * layout->row_stride;
    char *row = layout->table ? layout->table[v] : layout->base + v * layout->row_stride;
    return row + i * layout->piece_stride;
}

char *dsm_row_home(const struct dsm_array *array, long v) {
    return piece_home(array, v, 0);
}

long dsm_row_at(const struct dsm_array *array, long position) {
    return array->layout.order ? (long)array->layout.order[position] : position;
}

char *dsm_row_store(const struct dsm_array *array, long position) {
    return array->view ? array->view + position * array->row_bytes
                       : dsm_row_home(array, dsm_row_at(array, position));
}

void dsm_rows_pack(const struct dsm_array *array, long begin, long end, char *packed) {
    const struct dsm_layout *layout = &array->layout;
    size_t piece = (size_t)layout->piece_bytes;
    for (long position = begin; position < end; ++position) {
        long v = dsm_row_at(array, position);
        for (long i = 0; i < layout->pieces; ++i, packed += piece)
            memcpy(packed, piece_home(array, v, i), piece);
    }
}

void dsm_rows_unpack(const struct dsm_array *array, long begin, long end, const char *packed) {
    const struct dsm_layout *layout = &array->layout;
    size_t piece = (size_t)layout->piece_bytes;
    for (long position = begin; position < end; ++position) {
        long v = dsm_row_at(array, position);
        for (long i = 0; i < layout->pieces; ++i, packed += piece)
            memcpy(piece_home(array, v, i), packed, piece);
    }
}

/* First to last byte of a row, gaps between pieces included. */
static struct dsm_range row_range(const struct dsm_array *array, long v) {
    const struct dsm_layout *layout = &array->layout;
    char *low = dsm_row_home(array, v);
    return (struct dsm_range){low, low + (layout->pieces - 1) * layout->piece_stride +
                                       layout->piece_bytes};
}

static struct dsm_range *base_range(const struct dsm_array *array) {
    struct dsm_range *range = dsm_own_alloc(sizeof *range);
    struct dsm_range first = row_range(array, 0), last = row_range(array, array->layout.nrows - 1);
    range->low = first.low < last.low ? first.low : last.low;
    range->high = first.high > last.high ? first.high : last.high;
    return range;
}

/* What holds piece i of all rows. */
static struct dsm_range piece_range(const struct dsm_array *array, long i) {
    const char *first = piece_home(array, 0, i);
    const char *last = piece_home(array, array->layout.nrows - 1, i);
    return (struct dsm_range){first < last ? first : last,
                              (first < last ? last : first) + array->layout.piece_bytes};
}

void dsm_rows_ranges(const struct dsm_array *array, int *count, struct dsm_range **ranges) {
    long nrows = array->layout.nrows, pieces = array->layout.piece_table ? array->layout.pieces : 0;
    *count = 0;
    *ranges = NULL;
    if (nrows == 0 || array->row_bytes == 0)
        return;
    if (!array->layout.table && !pieces) {
        *count = 1;
        *ranges = base_range(array);
        return;
    }
    *count = (int)(pieces ? pieces : nrows);
    *ranges = dsm_own_alloc((size_t)*count * sizeof **ranges);
    for (int i = 0; i < *count; ++i)
        (*ranges)[i] = pieces ? piece_range(array, i) : row_range(array, i);
    *count = dsm_ranges_join(*count, *ranges, JOIN_GAP);
    *ranges = dsm_own_realloc(*ranges, (size_t)*count * sizeof **ranges);
}

void dsm_rows_commit(struct dsm_array *array) {
    int count;
    struct dsm_range *ranges;
    if (dsm_world.rank == 0 || array->view)
        return;
    dsm_rows_ranges(array, &count, &ranges);
    for (int i = 0; i < count; ++i)
        dsm_commit((char *)ranges[i].low, (size_t)(ranges[i].high - ranges[i].low));
    dsm_own_free(ranges);
}

int dsm_array_parts(const struct dsm_array *array) {
    return array->layout.nparts;
}

struct dsm_range dsm_array_span(const struct dsm_array *array) {
    const struct dsm_layout *layout = &array->layout;
    if (array->view)
        return (struct dsm_range){array->view, array->view + array->view_bytes};
    struct dsm_range span = {NULL, NULL};
    for (long v = 0; v < layout->nrows; ++v) {
        struct dsm_range row = row_range(array, v);
        span.low = !span.low || row.low < span.low ? row.low : span.low;
        span.high = row.high > span.high ? row.high : span.high;
    }
    return span;
}

void dsm_part_ranges(const struct dsm_array *array, int part,
                     void (*see)(void *data, char *low, size_t bytes), void *data) {
    const struct dsm_layout *layout = &array->layout;
    size_t piece = (size_t)layout->piece_bytes, bytes = 0;
    char *low = NULL;
    for (long at = layout->cuts[part]; at < layout->cuts[part + 1]; ++at) {
        for (long i = 0; i < layout->pieces; ++i) {
            char *next = dsm_row_store(array, at) + i * layout->piece_stride;
            if (next == low + bytes) {
                bytes += piece;
                continue;
            }
            if (bytes)
                see(data, low, bytes);
            low = next;
            bytes = piece;
        }
    }
    if (bytes)
        see(data, low, bytes);
}

int dsm_part_at(const struct dsm_array *array, long position) {
    int low = 0, high = array->layout.nparts;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (array->layout.cuts[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}
