/* Windows: ranks that have the chunks which rank 0 does not hold, in depots; what is spilled has them
 * all there. */
#define _GNU_SOURCE
#include "dsm/arrays/window.h"
#include "dsm/memory/spill.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>

/* ---- depots ---------------------------------------------------------------------------------- */

static size_t slots_of(const struct dsm_window *window) {
    return (size_t)window->count / (size_t)dsm_world.ranks + 1;
}

static char *depot_map(size_t bytes) {
    char *depot = dsm_spill.on ? dsm_spill_sparse(bytes) : dsm_clib_map(bytes);
    if (!depot)
        dsm_fail(DSM_STATUS_ERROR, "no memory for %zu bytes of rank 0's heap", bytes);
    if (!dsm_spill.on)
        dsm_clib_advise(depot, bytes, MADV_NOHUGEPAGE);
    return depot;
}

static void depot_unmap(char *depot, size_t bytes) {
    if (!dsm_spill_free(depot))
        dsm_clib_unmap(depot, bytes);
}

void dsm_window_depot(struct dsm_window *window) {
    size_t slots = slots_of(window);
    window->held = memset(dsm_own_alloc(slots), 0, slots);
    window->depot = depot_map(slots * window->chunk);
}

void dsm_window_depot_end(struct dsm_window *window) {
    if (!window->depot)
        return;
    for (long c = dsm_world.rank; c < window->count; c += dsm_world.ranks)
        dsm_window_leave(window, c);
    depot_unmap(window->depot, slots_of(window) * window->chunk);
    dsm_own_free(window->held);
    window->depot = NULL;
    window->held = NULL;
}

char *dsm_window_owned(const struct dsm_window *window, long c) {
    return window->depot ? window->depot + (size_t)(c / dsm_world.ranks) * window->chunk
                         : dsm_window_memory(window, c);
}

void dsm_window_ready(struct dsm_window *window, long c) {
    if (!window->depot && window->states[c] == DSM_CHUNK_ZERO)
        dsm_window_protect(window, c, PROT_READ);
}

/* What is spilled does not count. */
void dsm_window_enter(struct dsm_window *window, long c) {
    size_t bytes = dsm_window_length(window, c);
    if (!window->depot) {
        dsm_window_enter_here(window, c);
    } else if (!window->held[c / dsm_world.ranks]) {
        dsm_windows_add(dsm_spill.on ? 0 : bytes, "rank 0's heap");
        dsm_spill_take(dsm_window_owned(window, c), dsm_page_up(bytes));
        window->held[c / dsm_world.ranks] = 1;
    }
}

void dsm_window_leave(struct dsm_window *window, long c) {
    size_t bytes = dsm_window_length(window, c);
    if (!window->depot) {
        dsm_window_leave_here(window, c);
        return;
    }
    if (dsm_spill.on)
        dsm_spill_give(dsm_window_owned(window, c), dsm_page_up(bytes));
    else
        dsm_clib_advise(dsm_window_owned(window, c), dsm_page_up(bytes), MADV_DONTNEED);
    if (window->held[c / dsm_world.ranks] && !dsm_spill.on)
        dsm_windows_count(-(long)bytes);
    window->held[c / dsm_world.ranks] = 0;
}

void dsm_window_seal(struct dsm_window *window, long c) {
    if (!window->depot)
        dsm_window_protect(window, c, PROT_NONE);
}

static void depot_drop(struct dsm_window *window) {
    dsm_window_depot_end(window);
    dsm_window_unlist(window);
    dsm_own_free(window);
}

/* Pages go along, but to a file's: these are copied, one chunk after the other. */
static void slots_move(const struct dsm_window *had, struct dsm_window *window, size_t kept) {
    size_t chunk = window->chunk;
    if (!dsm_spill.on) {
        if (!dsm_clib_remap(had->depot, kept * chunk, MREMAP_MAYMOVE | MREMAP_FIXED, window->depot))
            dsm_fail(DSM_STATUS_ERROR, "no memory for %zu bytes of rank 0's heap", kept * chunk);
        dsm_clib_advise(window->depot, kept * chunk, MADV_NOHUGEPAGE);
        if (slots_of(had) > kept)
            dsm_clib_unmap(had->depot + kept * chunk, (slots_of(had) - kept) * chunk);
        return;
    }
    for (size_t slot = 0; slot < kept; ++slot) {
        char *from = had->depot + slot * chunk;
        if (!window->held[slot])
            continue;
        dsm_spill_take(window->depot + slot * chunk, chunk);
        memcpy(window->depot + slot * chunk, from, chunk);
        dsm_spill_give(from, chunk);
    }
    dsm_spill_free(had->depot);
}

void dsm_window_depot_resize(struct dsm_window *window, size_t bytes) {
    struct dsm_window had = *window;
    size_t ranks = (size_t)dsm_world.ranks, slots = slots_of(window);
    long count = (long)((bytes + window->chunk - 1) / window->chunk), last = had.count - 1;
    size_t more = (size_t)count / ranks + 1, kept = slots < more ? slots : more;
    for (long c = 0; c < had.count; ++c)
        if (dsm_window_owner(c) == dsm_world.rank && c >= count)
            dsm_window_leave(window, c);
    window->bytes = bytes;
    window->count = count;
    last = last < count ? last : count - 1;
    if (dsm_window_owner(last) == dsm_world.rank && window->held[last / dsm_world.ranks]) {
        if (!dsm_spill.on)
            dsm_windows_count((long)dsm_window_length(window, last) -
                              (long)dsm_window_length(&had, last));
        dsm_spill_take(dsm_window_owned(window, last),
                       dsm_page_up(dsm_window_length(window, last)));
    }
    if (slots == more)
        return;
    window->held = dsm_own_realloc(window->held, more);
    memset(window->held + kept, 0, more - kept);
    window->depot = depot_map(more * window->chunk);
    slots_move(&had, window, kept);
}

/* ---- as rank 0 says -------------------------------------------------------------------------- */

/* Chunks that are there, of a block that is one. */
static bool is_right(const struct dsm_window_order *order) {
    const struct dsm_window_name *name = &order->window;
    const struct dsm_window *known = dsm_window_numbered(name->number);
    bool right = name->number > 0 && name->chunk > 0 && name->bytes >= name->chunk &&
                 name->bytes / name->chunk < INT_MAX && order->count >= 0 &&
                 order->count <= (int)(sizeof order->chunks / sizeof *order->chunks) &&
                 (!known || ((known->bytes == name->bytes || order->what == DSM_WINDOW_RESIZE) &&
                             known->chunk == name->chunk));
    for (int i = 0; right && i < order->count; ++i)
        right =
            order->chunks[i] >= 0 && (size_t)order->chunks[i] <= (name->bytes - 1) / name->chunk;
    return right && order->what >= DSM_WINDOW_PUT && order->what <= DSM_WINDOW_DROP;
}

bool dsm_window_serve(const void *payload, size_t bytes) {
    struct dsm_window_order order;
    struct dsm_request *requests[DSM_WINDOW_LISTED];
    int n = 0;
    if (bytes != sizeof order)
        return false;
    memcpy(&order, payload, sizeof order);
    if (!is_right(&order))
        dsm_malformed(0, "window %d has not got the chunks that it names", order.window.number);
    struct dsm_window *window = dsm_window_numbered(order.window.number);
    if (!window)
        window = dsm_window_named(order.window);
    bool moves = order.what == DSM_WINDOW_PUT || order.what == DSM_WINDOW_GET;
    if (order.what == DSM_WINDOW_DROP)
        depot_drop(window);
    else if (order.what == DSM_WINDOW_RESIZE)
        dsm_window_depot_resize(window, order.window.bytes);
    for (int i = 0; i < order.count && moves; ++i) {
        long c = order.chunks[i];
        if (dsm_window_owner(c) != dsm_world.rank)
            continue;
        char *at = dsm_window_memory(window, c);
        size_t length = dsm_window_length(window, c);
        if (order.what == DSM_WINDOW_PUT)
            dsm_window_enter(window, c);
        requests[n++] = order.what == DSM_WINDOW_PUT
                            ? dsm_message_receive(DSM_BULK, 0, DSM_TAG_CHUNK, at, length)
                            : dsm_message_send(DSM_BULK, 0, DSM_TAG_CHUNK, at, length);
    }
    dsm_window_waits(requests, n);
    return true;
}
