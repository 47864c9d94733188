/* Windows: where owners keep chunks, one behind the other; in the file of what is spilled, if there is
 * one. */
#define _GNU_SOURCE
#include "dsm/arrays/window_depot.h"

#include "dsm/memory/spill.h"

#include <string.h>
#include <sys/mman.h>

size_t dsm_window_length(const struct dsm_window *window, long c) {
    size_t at = (size_t)c * window->chunk;
    return window->bytes - at < window->chunk ? window->bytes - at : window->chunk;
}

char *dsm_window_memory(const struct dsm_window *window, long c) {
    return window->low ? window->low + (size_t)c * window->chunk : dsm_window_owned(window, c);
}

char *dsm_window_owned(const struct dsm_window *window, long c) {
    return window->depot ? window->depot + (size_t)(c / dsm_world.ranks) * window->chunk
                         : dsm_window_memory(window, c);
}

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

size_t dsm_window_depot_take(struct dsm_window *window, long c) {
    unsigned char *held = &window->held[c / dsm_world.ranks];
    size_t bytes = dsm_window_length(window, c);
    if (*held)
        return 0;
    dsm_spill_take(dsm_window_owned(window, c), dsm_page_up(bytes));
    *held = 1;
    return dsm_spill.on ? 0 : bytes;
}

size_t dsm_window_depot_give(struct dsm_window *window, long c) {
    unsigned char *held = &window->held[c / dsm_world.ranks];
    size_t bytes = dsm_window_length(window, c);
    if (dsm_spill.on)
        dsm_spill_give(dsm_window_owned(window, c), dsm_page_up(bytes));
    else
        dsm_clib_advise(dsm_window_owned(window, c), dsm_page_up(bytes), MADV_DONTNEED);
    bytes = *held && !dsm_spill.on ? bytes : 0;
    *held = 0;
    return bytes;
}

/* This rank's chunks from c on. */
static size_t chunks_give(struct dsm_window *window, long from) {
    size_t bytes = 0;
    for (long c = dsm_world.rank; c < window->count; c += dsm_world.ranks)
        bytes += c >= from ? dsm_window_depot_give(window, c) : 0;
    return bytes;
}

size_t dsm_window_depot_end(struct dsm_window *window) {
    if (!window->depot)
        return 0;
    size_t bytes = chunks_give(window, 0);
    depot_unmap(window->depot, slots_of(window) * window->chunk);
    dsm_own_free(window->held);
    window->depot = NULL;
    window->held = NULL;
    return bytes;
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

long dsm_window_depot_resize(struct dsm_window *window, size_t bytes) {
    struct dsm_window had = *window;
    size_t ranks = (size_t)dsm_world.ranks, slots = slots_of(window);
    long count = (long)((bytes + window->chunk - 1) / window->chunk), last = had.count - 1;
    size_t more = (size_t)count / ranks + 1, kept = slots < more ? slots : more;
    long change = -(long)chunks_give(window, count);
    window->bytes = bytes;
    window->count = count;
    last = last < count ? last : count - 1;
    if (dsm_window_owner(last) == dsm_world.rank && window->held[last / dsm_world.ranks]) {
        size_t now = dsm_window_length(window, last);
        change += dsm_spill.on ? 0 : (long)now - (long)dsm_window_length(&had, last);
        dsm_spill_take(dsm_window_owned(window, last), dsm_page_up(now));
    }
    if (slots == more)
        return change;
    window->held = dsm_own_realloc(window->held, more);
    memset(window->held + kept, 0, more - kept);
    window->depot = depot_map(more * window->chunk);
    slots_move(&had, window, kept);
    return change;
}
