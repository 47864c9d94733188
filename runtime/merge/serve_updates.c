/* What rows changed, to the owners of the elements, which merge it in the order of the rows. */
#include "runtime/merge/serve_private.h"

#include "runtime/base/commands.h"

#include <string.h>

/* Of one row: its changes of an owner's part, by their places among all of the row's. */
struct share {
    const struct orrery_changes *changes;
    size_t from, end;
};

static struct share share_of(const struct orrery_served_array *array, long row, int owner) {
    const struct orrery_changes *changes = &array->copies.rows[row];
    return (struct share){changes, orrery_changes_from(changes, array->first[owner]),
                          orrery_changes_from(changes, array->first[owner + 1])};
}

static size_t update_bytes(const struct orrery_serve *serve, int owner) {
    size_t bytes = 0;
    for (int a = 0; a < serve->narrays; ++a)
        for (long row = serve->row_low; row < serve->row_high; ++row) {
            struct share share = share_of(&serve->arrays[a], row, owner);
            bytes += sizeof(uint64_t) +
                     (share.end - share.from) * (sizeof(uint32_t) + serve->arrays[a].size);
        }
    return bytes;
}

static char *share_put(const struct orrery_served_array *array, long row, int owner, char *to) {
    struct share share = share_of(array, row, owner);
    uint64_t count = share.end - share.from;
    memcpy(to, &count, sizeof count);
    to += sizeof count;
    for (size_t k = share.from; k < share.end; ++k, to += sizeof(uint32_t)) {
        uint32_t at = share.changes->at[k] - (uint32_t)array->first[owner];
        memcpy(to, &at, sizeof at);
    }
    if (count)
        memcpy(to, share.changes->values + share.from * array->size, (size_t)count * array->size);
    return to + count * array->size;
}

/* The changes of `row` as they stand in a message become the owner's. */
static const char *share_get(struct orrery_served_array *array, long row, const char *from) {
    struct orrery_changes *changes = &array->owner.rows[row];
    uint64_t count;
    memcpy(&count, from, sizeof count);
    from += sizeof count;
    changes->count = (size_t)count;
    orrery_changes_reserve(changes, changes->count + 1, array->size);
    if (count == 0)
        return from;
    memcpy(changes->at, from, changes->count * sizeof *changes->at);
    from += changes->count * sizeof *changes->at;
    memcpy(changes->values, from, changes->count * array->size);
    return from + changes->count * array->size;
}

static char *update_pack(const struct orrery_serve *serve, int owner) {
    char *data = dsm_own_alloc(update_bytes(serve, owner) + 1), *to = data;
    for (int a = 0; a < serve->narrays; ++a)
        for (long row = serve->row_low; row < serve->row_high; ++row)
            to = share_put(&serve->arrays[a], row, owner, to);
    return data;
}

static void update_unpack(struct orrery_serve *serve, int rank, const char *data) {
    for (int a = 0; a < serve->narrays; ++a)
        for (long row = orrery_first_row_of(rank, serve->nrows);
             row < orrery_first_row_of(rank + 1, serve->nrows); ++row)
            data = share_get(&serve->arrays[a], row, data);
}

static void update_send(struct orrery_serve *serve, int owner) {
    uint64_t bytes = update_bytes(serve, owner);
    char *head = dsm_own_alloc(sizeof bytes), *data = update_pack(serve, owner);
    memcpy(head, &bytes, sizeof bytes);
    orrery_serve_keep(serve, dsm_send_start(owner, ORRERY_TAG_UPDATE, head, sizeof bytes), head);
    if (bytes)
        orrery_serve_keep(serve, dsm_send_start(owner, ORRERY_TAG_UPDATE, data, (size_t)bytes),
                          data);
    else
        dsm_own_free(data);
}

static void update_receive(struct orrery_serve *serve, int rank) {
    uint64_t bytes;
    dsm_receive(rank, ORRERY_TAG_UPDATE, &bytes, sizeof bytes);
    if (!bytes)
        return;
    char *data = dsm_own_alloc((size_t)bytes);
    dsm_receive(rank, ORRERY_TAG_UPDATE, data, (size_t)bytes);
    update_unpack(serve, rank, data);
    dsm_own_free(data);
}

/* Which elements of this rank's part are others now; those of the merge before are told. */
static void changed_note(struct orrery_served_array *array, unsigned char changed) {
    for (size_t k = 0; k < array->owner.result.count; ++k)
        array->changed[array->owner.result.at[k]] = changed;
}

/* The program's pointers lead to this rank's parts of arrays beside the array, or back. */
static void besides_swap(struct orrery_served_array *array) {
    const struct orrery_merging *how = array->owner.how;
    for (int b = 0; b < how->nbesides; ++b) {
        char **pointer = (char **)(uintptr_t)how->besides[b].pointer, *now;
        if (!array->bases[b])
            continue;
        now = *pointer;
        *pointer = array->bases[b];
        array->bases[b] = now;
    }
}

void orrery_serve_update(struct orrery_serve *serve, struct orrery_region *region) {
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        if (rank != dsm_rank())
            update_send(serve, rank);
    char *own = update_pack(serve, dsm_rank());
    update_unpack(serve, dsm_rank(), own);
    dsm_own_free(own);
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        if (rank != dsm_rank())
            update_receive(serve, rank);
    for (int a = 0; a < serve->narrays; ++a) {
        changed_note(&serve->arrays[a], 0);
        besides_swap(&serve->arrays[a]);
        orrery_merge_array(region, &serve->arrays[a].owner);
        besides_swap(&serve->arrays[a]);
        changed_note(&serve->arrays[a], 1);
    }
    orrery_serve_wait(serve);
}
