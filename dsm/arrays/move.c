/*
 * Bulk movement between home and stores: chunks of one part's rows, a few under way at a time, in
 * ascending part order on both sides (docs/dsm-protocol.md, "Commands").
 */
#include "dsm/arrays/array.h"

#include <string.h>

#define CHUNK_BYTES (4L << 20)
#define SLOTS 4

#define TAG_ROWS 2

/* Rows at positions [begin, end) of one part. */
struct chunk {
    int part;
    long begin, end;
};

/* Goes over all chunks of an array. Start with {0, 0, 0}; false at the end. */
static bool chunk_next(const struct dsm_array *array, struct chunk *chunk) {
    const struct dsm_layout *layout = &array->layout;
    long most = (long)dsm_chunk(CHUNK_BYTES) / (array->row_bytes > 0 ? array->row_bytes : 1);
    chunk->begin = chunk->end;
    while (chunk->part < layout->nparts && chunk->begin == layout->cuts[chunk->part + 1])
        ++chunk->part;
    if (chunk->part == layout->nparts)
        return false;
    long left = layout->cuts[chunk->part + 1] - chunk->begin;
    most = most > 0 ? most : 1;
    chunk->end = chunk->begin + (left < most ? left : most);
    return true;
}

static size_t chunk_bytes(const struct dsm_array *array, const struct chunk *chunk) {
    return (size_t)(chunk->end - chunk->begin) * (size_t)array->row_bytes;
}

/* A chunk under way. `unpack`: the rows go from the buffer to home when it is in. */
struct slot {
    struct dsm_request *request;
    struct chunk chunk;
    char *buffer;
    bool unpack;
};

struct pipeline {
    struct dsm_array *array;
    struct slot slots[SLOTS];
    unsigned turn;
};

/* Buffers of CHUNK_BYTES that are kept: new memory costs more than what is copied into it. */
static struct {
    struct dsm_lock lock;
    char *buffers[SLOTS];
    int count;
} spare;

static char *buffer_take(size_t bytes) {
    char *buffer = NULL;
    if (bytes <= CHUNK_BYTES) {
        bytes = CHUNK_BYTES;
        dsm_lock_take(&spare.lock);
        buffer = spare.count > 0 ? spare.buffers[--spare.count] : NULL;
        dsm_lock_give(&spare.lock);
    }
    return buffer ? buffer : dsm_own_alloc(bytes);
}

static void buffer_give(char *buffer, size_t bytes) {
    if (buffer && bytes <= CHUNK_BYTES) {
        dsm_lock_take(&spare.lock);
        if (spare.count < SLOTS) {
            spare.buffers[spare.count++] = buffer;
            buffer = NULL;
        }
        dsm_lock_give(&spare.lock);
    }
    dsm_own_free(buffer);
}

static void slot_finish(struct dsm_array *array, struct slot *slot) {
    if (slot->request) {
        dsm_wait(slot->request);
        slot->request = NULL;
        if (slot->unpack)
            dsm_rows_unpack(array, slot->chunk.begin, slot->chunk.end, slot->buffer);
    }
}

/* The next slot, its last chunk done with. */
static struct slot *slot_take(struct pipeline *pipeline) {
    struct slot *slot = &pipeline->slots[pipeline->turn++ % SLOTS];
    slot_finish(pipeline->array, slot);
    return slot;
}

static char *slot_buffer(struct pipeline *pipeline, struct slot *slot) {
    if (!slot->buffer)
        slot->buffer = buffer_take((size_t)pipeline->array->row_bytes);
    return slot->buffer;
}

static void pipeline_finish(struct pipeline *pipeline) {
    for (int i = 0; i < SLOTS; ++i) {
        struct slot *slot = slot_take(pipeline);
        buffer_give(slot->buffer, (size_t)pipeline->array->row_bytes);
        slot->buffer = NULL;
    }
}

static void chunk_send(struct pipeline *pipeline, const struct chunk *chunk, int to, bool packed) {
    struct dsm_array *array = pipeline->array;
    struct slot *slot = slot_take(pipeline);
    const char *data = dsm_row_store(array, chunk->begin);
    if (packed) {
        char *buffer = slot_buffer(pipeline, slot);
        dsm_rows_pack(array, chunk->begin, chunk->end, buffer);
        data = buffer;
    }
    slot->unpack = false;
    slot->request = dsm_message_send(DSM_BULK, to, TAG_ROWS, data, chunk_bytes(array, chunk));
}

static void chunk_receive(struct pipeline *pipeline, const struct chunk *chunk, int from,
                          bool packed) {
    struct dsm_array *array = pipeline->array;
    struct slot *slot = slot_take(pipeline);
    char *data = packed ? slot_buffer(pipeline, slot) : dsm_row_store(array, chunk->begin);
    slot->chunk = *chunk;
    slot->unpack = packed;
    slot->request = dsm_message_receive(DSM_BULK, from, TAG_ROWS, data, chunk_bytes(array, chunk));
}

/* Rank 0: a chunk of a part of its own. */
static void chunk_to_store(struct dsm_array *array, const struct chunk *chunk) {
    if (array->view)
        dsm_rows_pack(array, chunk->begin, chunk->end, dsm_row_store(array, chunk->begin));
}

static void chunk_to_home(struct dsm_array *array, const struct chunk *chunk) {
    if (array->view)
        dsm_rows_unpack(array, chunk->begin, chunk->end, dsm_row_store(array, chunk->begin));
}

/* Requires: the parts are present on their first owners, by name; their rows come now. */
void dsm_move_out(struct dsm_array *array) {
    struct pipeline pipeline = {.array = array};
    struct chunk chunk = {0, 0, 0};
    while (chunk_next(array, &chunk)) {
        int owner = array->layout.owner[chunk.part];
        if (dsm_world.rank == 0 && owner == 0)
            chunk_to_store(array, &chunk);
        else if (dsm_world.rank == 0)
            chunk_send(&pipeline, &chunk, owner, true);
        else if (owner == dsm_world.rank)
            chunk_receive(&pipeline, &chunk, 0, !array->view);
    }
    pipeline_finish(&pipeline);
}

void dsm_move_home(struct dsm_array *array) {
    struct pipeline pipeline = {.array = array};
    struct chunk chunk = {0, 0, 0};
    while (chunk_next(array, &chunk)) {
        if (dsm_world.rank > 0) {
            if (dsm_part_state(array, chunk.part) == DSM_PART_PRESENT) {
                dsm_store_need(array, chunk.part, chunk.begin, chunk.end);
                chunk_send(&pipeline, &chunk, 0, !array->view);
            }
        } else if (array->holders[chunk.part] == 0) {
            dsm_store_need(array, chunk.part, chunk.begin, chunk.end);
            chunk_to_home(array, &chunk);
        } else {
            chunk_receive(&pipeline, &chunk, array->holders[chunk.part], true);
        }
    }
    pipeline_finish(&pipeline);
    dsm_store_back(array);
}

/* ---- rows on edges: one message per rank that has some ---- */

/* The rank that holds an edge row; on ranks above 0: this rank, or -1. */
static int edge_holder(const struct dsm_array *array, long edge) {
    int part = dsm_part_at(array, array->edges[edge]);
    return dsm_world.rank == 0 ? array->holders[part] : dsm_part_owner(array, part);
}

static long edges_of(const struct dsm_array *array, int rank) {
    long count = 0;
    for (long i = 0; i < array->nedges; ++i)
        count += edge_holder(array, i) == rank;
    return count;
}

/* Rows between two edge rows of a part that are nearer than this come along. */
#define EDGE_GAP (32L << 10)

/* This rank's are in their stores. */
static void edges_need(const struct dsm_array *array) {
    for (long i = 0, last; array->fetch && i < array->nedges; i = last + 1) {
        int part = dsm_part_at(array, array->edges[i]);
        last = i;
        if (dsm_part_owner(array, part) < 0)
            continue;
        long room = EDGE_GAP / array->row_bytes + 1, end = array->layout.cuts[part + 1];
        while (last + 1 < array->nedges && array->edges[last + 1] < end &&
               array->edges[last + 1] - array->edges[last] <= room) {
            ++last;
        }
        dsm_store_need(array, part, array->edges[i], array->edges[last] + 1);
    }
}

static void edges_send(struct dsm_array *array) {
    size_t row = (size_t)array->row_bytes;
    long count = edges_of(array, dsm_world.rank);
    char *buffer = dsm_own_alloc((size_t)count * row), *at = buffer;
    for (long i = 0; i < array->nedges; ++i) {
        if (edge_holder(array, i) == dsm_world.rank) {
            memcpy(at, dsm_row_store(array, array->edges[i]), row);
            at += row;
        }
    }
    if (count > 0)
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_ROWS, buffer, (size_t)count * row));
    dsm_own_free(buffer);
}

/* Bytes of a row that are not on guarded pages go home. */
static void edge_unpack(const struct dsm_array *array, long position, const char *packed) {
    char *row = dsm_row_home(array, dsm_row_at(array, position)), *end = row + array->row_bytes;
    if (row < array->guard_low) {
        char *stop = end < array->guard_low ? end : array->guard_low;
        memcpy(row, packed, (size_t)(stop - row));
    }
    if (end > array->guard_high) {
        char *start = row > array->guard_high ? row : array->guard_high;
        memcpy(start, packed + (start - row), (size_t)(end - start));
    }
}

static void edges_receive(struct dsm_array *array, int from) {
    size_t row = (size_t)array->row_bytes;
    long count = edges_of(array, from);
    char *buffer = dsm_own_alloc((size_t)count * row), *at = buffer;
    if (count > 0)
        dsm_wait(dsm_message_receive(DSM_BULK, from, TAG_ROWS, buffer, (size_t)count * row));
    for (long i = 0; i < array->nedges && count > 0; ++i) {
        if (edge_holder(array, i) == from) {
            edge_unpack(array, array->edges[i], at);
            at += row;
        }
    }
    dsm_own_free(buffer);
}

void dsm_move_edges(struct dsm_array *array) {
    edges_need(array);
    if (dsm_world.rank > 0) {
        edges_send(array);
        return;
    }
    for (long i = 0; i < array->nedges; ++i) {
        if (edge_holder(array, i) == 0) {
            long position = array->edges[i];
            edge_unpack(array, position, dsm_row_store(array, position));
        }
    }
    for (int rank = 1; rank < dsm_world.ranks; ++rank)
        edges_receive(array, rank);
}
