/*
 * Memory of rank 0's heap that another rank has filled, at the same addresses, and still has: a
 * lazy copy whose bytes are there (docs/dsm-protocol.md, "Placed memory").
 */
#include "dsm/arrays/guard.h"
#include "dsm/transport/messages.h"

#include <stdlib.h>
#include <string.h>

#define TAG_FETCH 6
/* As dsm_lazy's pieces, so that each of them is one message. */
#define CHUNK_BYTES (1UL << 20)
#define UNDER_WAY 4

/* Memory that `rank` has written: `all` of it, of which rank 0 has a lazy copy of the `pages` and
 * has the rest as well, unchanged while the watch `edges` says so. */
struct placed {
    struct placed *next;
    struct dsm_lazy *lazy;
    struct dsm_range all, pages;
    struct dsm_watch *edges;
    int rank;
};

static struct {
    struct dsm_lock lock; /* of the list */
    struct placed *first;
} places;

/* Rank 0 wants bytes that `rank` has. */
struct fetch {
    int rank;
    struct dsm_range bytes;
};

/* ---- rank 0 asks ----------------------------------------------------------------------------- */

/* The rank sends the bytes [low, high). */
static void ask(int rank, const char *low, const char *high) {
    struct fetch fetch = {rank, {low, high}};
    dsm_command_own(DSM_OP_FETCH, &fetch, sizeof fetch);
}

static void take(int rank, char *to, size_t bytes) {
    dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_FETCH, to, bytes));
}

/* A dsm_lazy_fetch; a lazy copy fetches all of its pages, from the first on. */
static void placed_fetch(void *data, char *to, const char *address, size_t bytes) {
    const struct placed *placed = data;
    if (dsm_is_over()) {
        dsm_fail(DSM_STATUS_ERROR, "%p is read, which rank %d had when the job ended",
                 (const void *)address, placed->rank);
    }
    if (address == placed->pages.low)
        ask(placed->rank, placed->pages.low, placed->pages.high);
    take(placed->rank, to, bytes);
}

static void bring(int rank, char *low, const char *high) {
    if (low < high)
        ask(rank, low, high);
    for (size_t bytes; low < high; low += bytes) {
        bytes = (size_t)(high - low) < CHUNK_BYTES ? (size_t)(high - low) : CHUNK_BYTES;
        take(rank, low, bytes);
    }
}

/* Lazy copies that are materialized, or whose memory is gone, are over. */
static void over_end(bool forget) {
    struct placed **link = &places.first;
    while (*link) {
        struct placed *placed = *link;
        enum dsm_lazy_state state = dsm_lazy_state(placed->lazy);
        if (state == DSM_LAZY_PENDING) {
            link = &placed->next;
            continue;
        }
        if (forget && state == DSM_LAZY_DONE)
            dsm_heap_keep(&placed->pages);
        *link = placed->next;
        dsm_lazy_end(placed->lazy);
        dsm_watch_end(placed->edges);
        dsm_own_free(placed);
    }
}

void dsm_placed_tidy(bool forget) {
    dsm_lock_take(&places.lock);
    over_end(forget);
    dsm_lock_give(&places.lock);
}

void dsm_place(void *address, size_t bytes, int rank) {
    char *low = address, *high = low + bytes;
    struct placed *placed = dsm_own_alloc(sizeof *placed);
    *placed = (struct placed){.rank = rank, .all = {low, high}};
    placed->lazy = dsm_lazy_new(low, high, placed_fetch, placed, &placed->pages);
    dsm_lock_take(&places.lock);
    over_end(true);
    if (placed->lazy) {
        placed->next = places.first;
        places.first = placed;
    }
    dsm_lock_give(&places.lock);
    if (!placed->lazy) {
        dsm_own_free(placed);
        bring(rank, low, high);
        return;
    }
    bring(rank, low, placed->pages.low);
    bring(rank, (char *)placed->pages.high, high);
    struct dsm_range edges[2] = {{low, placed->pages.low}, {placed->pages.high, high}};
    placed->edges = dsm_watch_start(2, edges);
    dsm_lazy_defer(placed->lazy);
}

/* Is what the rank has still what rank 0 would find? */
static bool is_there(const struct placed *placed) {
    return dsm_lazy_state(placed->lazy) == DSM_LAZY_PENDING && !dsm_watch_changed(placed->edges);
}

int dsm_placed_on(const char *low, const char *high) {
    int rank = 0;
    dsm_lock_take(&places.lock);
    for (const struct placed *placed = places.first; placed; placed = placed->next) {
        if (low < placed->all.high && placed->all.low < high && is_there(placed)) {
            bool whole = placed->all.low <= low && high <= placed->all.high;
            rank = whole ? placed->rank : -1;
        }
    }
    dsm_lock_give(&places.lock);
    return rank;
}

int dsm_placed_with(int rank, struct dsm_range *ranges, int most) {
    int count = 0;
    dsm_lock_take(&places.lock);
    for (const struct placed *placed = places.first; placed && count < most; placed = placed->next)
        if ((rank < 0 || placed->rank == rank) && is_there(placed))
            ranges[count++] = placed->all;
    dsm_lock_give(&places.lock);
    return count;
}

/* ---- the others answer ----------------------------------------------------------------------- */

static void send_all(const char *low, const char *high) {
    struct dsm_request *sends[UNDER_WAY] = {NULL};
    for (size_t i = 0, bytes; low < high; low += bytes, ++i) {
        bytes = (size_t)(high - low) < CHUNK_BYTES ? (size_t)(high - low) : CHUNK_BYTES;
        if (sends[i % UNDER_WAY])
            dsm_wait(sends[i % UNDER_WAY]);
        sends[i % UNDER_WAY] = dsm_message_send(DSM_BULK, 0, TAG_FETCH, low, bytes);
    }
    for (int i = 0; i < UNDER_WAY; ++i)
        if (sends[i])
            dsm_wait(sends[i]);
}

void dsm_place_drop(const void *address, size_t bytes) {
    uintptr_t low = dsm_page_up((uintptr_t)address);
    uintptr_t high = dsm_page_down((uintptr_t)address + bytes);
    if (low < high) {
        struct dsm_range pages = {(const char *)low, (const char *)high};
        dsm_heap_forget(&pages, 1);
    }
}

bool dsm_place_serve(const void *payload, size_t bytes) {
    struct fetch fetch;
    if (bytes != sizeof fetch)
        return false;
    memcpy(&fetch, payload, sizeof fetch);
    const char *low = fetch.bytes.low, *high = fetch.bytes.high;
    if (fetch.rank != dsm_world.rank)
        return true;
    if (!dsm_in_heap(low) || !(low < high) || high > dsm_reservation.middle)
        dsm_malformed(0, "it wants bytes that are in no heap");
    send_all(low, high);
    return true;
}
