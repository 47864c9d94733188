/*
 * Some rows of a part in motion: what others touch of it (docs/dsm-protocol.md, "Rows that travel
 * alone"). Rows are packed when they are sent, so the sender's pages are free at once.
 */
#include "dsm/arrays/array.h"

#include <string.h>

/* The rows into one stretch (`in`), or back. */
static void pack(const struct dsm_array *array, const struct dsm_rows *rows, char *packed,
                 bool in) {
    size_t row = (size_t)array->row_bytes;
    for (long i = 0; i < rows->count; ++i, packed += row) {
        long at = array->layout.cuts[rows->part] + rows->at[i];
        char *stored = array->view ? dsm_row_store(array, at) : NULL;
        if (stored)
            memcpy(in ? packed : stored, in ? stored : packed, row);
        else if (in)
            dsm_rows_pack(array, at, at + 1, packed);
        else
            dsm_rows_unpack(array, at, at + 1, packed);
    }
}

bool dsm_rows_stay(const struct dsm_array *array, int from, int to) {
    return array->shared && dsm_world.hosts && dsm_world.hosts[from] == dsm_world.hosts[to];
}

static void expect(const struct dsm_array *array, int part, enum dsm_part_state state,
                   const char *what) {
    if (dsm_part_state(array, part) != state)
        dsm_fail(DSM_STATUS_ERROR, "array %s: part %d cannot %s: its state on this rank is %d",
                 array->layout.name, part, what, (int)dsm_part_state(array, part));
}

static void rows_left(struct dsm_request *request) {
    dsm_own_free(request->buffer);
}

static void rows_arrived(struct dsm_request *request) {
    if (request->buffer)
        pack(request->array, &request->rows, request->buffer, false);
    dsm_own_free(request->buffer);
}

struct dsm_request *dsm_rows_send(struct dsm_array *array, const struct dsm_rows *rows, int to,
                                  int tag) {
    expect(array, rows->part, DSM_PART_PRESENT, "send rows");
    dsm_part_wake(array, rows->part);
    struct dsm_request *request;
    char *buffer = NULL;
    if (dsm_rows_stay(array, dsm_world.rank, to)) {
        request = dsm_message_send(DSM_PARTS, to, tag, &array->tokens[rows->part], 1);
    } else {
        size_t bytes = (size_t)rows->count * (size_t)array->row_bytes;
        buffer = dsm_own_alloc(bytes);
        pack(array, rows, buffer, true);
        request = dsm_message_send(DSM_PARTS, to, tag, buffer, bytes);
    }
    request->done = rows_left;
    request->buffer = buffer;
    return request;
}

struct dsm_request *dsm_rows_receive(struct dsm_array *array, const struct dsm_rows *rows, int from,
                                     int tag) {
    expect(array, rows->part, DSM_PART_ARRIVING, "receive rows");
    struct dsm_request *request;
    char *buffer = NULL;
    if (dsm_rows_stay(array, from, dsm_world.rank)) {
        request = dsm_message_receive(DSM_PARTS, from, tag, &array->tokens[rows->part], 1);
    } else {
        size_t bytes = (size_t)rows->count * (size_t)array->row_bytes;
        buffer = dsm_own_alloc(bytes);
        request = dsm_message_receive(DSM_PARTS, from, tag, buffer, bytes);
    }
    request->done = rows_arrived;
    request->buffer = buffer;
    request->array = array;
    request->rows = *rows;
    return request;
}

void dsm_part_leave(struct dsm_array *array, int part, bool keep) {
    expect(array, part, DSM_PART_PRESENT, "leave");
    dsm_part_wake(array, part);
    dsm_part_set(array, part, keep ? DSM_PART_KEPT : DSM_PART_ABSENT);
    if (!keep)
        dsm_store_drop(array, part);
}

void dsm_part_enter(struct dsm_array *array, int part) {
    if (dsm_part_state(array, part) != DSM_PART_KEPT) {
        expect(array, part, DSM_PART_ABSENT, "enter");
        dsm_store_hold(array, part);
    }
    dsm_part_set(array, part, DSM_PART_ARRIVING);
}

void dsm_part_here(struct dsm_array *array, int part) {
    expect(array, part, DSM_PART_ARRIVING, "be here");
    dsm_part_set(array, part, DSM_PART_PRESENT);
}
