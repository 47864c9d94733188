/* Every rank tells the owners which of their elements it will touch, phase by phase. */
#include "runtime/merge/serve_private.h"

#include "runtime/base/commands.h"

#include <string.h>

size_t orrery_serve_from(const struct orrery_served_array *array, long p, int r) {
    const struct orrery_serve_list *list = &array->mine;
    size_t from = list->starts[p], to = list->starts[p + 1];
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (list->at[middle] < array->first[r])
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Per array: how many of each phase, then which, counted from the owner's first. */
static size_t question_bytes(const struct orrery_serve *serve, int owner) {
    size_t bytes = 0;
    for (int a = 0; a < serve->narrays; ++a)
        for (long p = 0; p < serve->phases; ++p)
            bytes += sizeof(uint32_t) + (orrery_serve_from(&serve->arrays[a], p, owner + 1) -
                                         orrery_serve_from(&serve->arrays[a], p, owner)) *
                                            sizeof(uint32_t);
    return bytes;
}

static void question_fill(const struct orrery_serve *serve, int owner, uint32_t *to) {
    for (int a = 0; a < serve->narrays; ++a) {
        const struct orrery_served_array *array = &serve->arrays[a];
        uint32_t *counts = to;
        to += serve->phases;
        for (long p = 0; p < serve->phases; ++p) {
            size_t from = orrery_serve_from(array, p, owner),
                   end = orrery_serve_from(array, p, owner + 1);
            counts[p] = (uint32_t)(end - from);
            for (size_t k = from; k < end; ++k)
                *to++ = array->mine.at[k] - (uint32_t)array->first[owner];
        }
    }
}

static void question_send(struct orrery_serve *serve, int owner, bool fresh) {
    uint64_t bytes = fresh ? 0 : question_bytes(serve, owner);
    char *head = dsm_own_alloc(sizeof bytes), *data = NULL;
    memcpy(head, &bytes, sizeof bytes);
    orrery_serve_keep(serve, dsm_send_start(owner, ORRERY_TAG_ASK, head, sizeof bytes), head);
    if (!bytes)
        return;
    data = dsm_own_alloc((size_t)bytes);
    question_fill(serve, owner, (uint32_t *)(void *)data);
    orrery_serve_keep(serve, dsm_send_start(owner, ORRERY_TAG_ASK, data, (size_t)bytes), data);
}

static const uint32_t *list_read(const struct orrery_serve *serve, struct orrery_serve_list *list,
                                 const uint32_t *from) {
    orrery_serve_list_free(list);
    list->starts = dsm_own_alloc((size_t)(serve->phases + 1) * sizeof *list->starts);
    list->starts[0] = 0;
    for (long p = 0; p < serve->phases; ++p)
        list->starts[p + 1] = list->starts[p] + from[p];
    from += serve->phases;
    size_t n = list->starts[serve->phases];
    list->at = dsm_own_alloc(n * sizeof *list->at + 1);
    if (n)
        memcpy(list->at, from, n * sizeof *list->at);
    return from + n;
}

/* The answer to a wrong question would be memory that is not there. */
static void list_check(const struct orrery_served_array *array,
                       const struct orrery_serve_list *list, long phases, int rank) {
    size_t own = array->first[dsm_rank() + 1] - array->first[dsm_rank()];
    for (size_t k = 0; k < list->starts[phases]; ++k)
        if (list->at[k] >= own)
            dsm_fail(1, "rank %d asks for an element of %s that rank %d does not have", rank,
                     array->what->name, dsm_rank());
}

static void question_receive(struct orrery_serve *serve, int rank) {
    uint64_t bytes;
    dsm_receive(rank, ORRERY_TAG_ASK, &bytes, sizeof bytes);
    if (!bytes)
        return;
    uint32_t *data = dsm_own_alloc((size_t)bytes);
    const uint32_t *from = data;
    dsm_receive(rank, ORRERY_TAG_ASK, data, (size_t)bytes);
    for (int a = 0; a < serve->narrays; ++a) {
        from = list_read(serve, &serve->arrays[a].asked[rank], from);
        list_check(&serve->arrays[a], &serve->arrays[a].asked[rank], serve->phases, rank);
    }
    dsm_own_free(data);
}

void orrery_serve_ask(struct orrery_serve *serve, bool fresh) {
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        if (rank != dsm_rank())
            question_send(serve, rank, fresh);
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        if (rank != dsm_rank())
            question_receive(serve, rank);
    orrery_serve_wait(serve);
}
