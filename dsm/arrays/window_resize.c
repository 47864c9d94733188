/*
 * realloc(3) of a block with a window (docs/dsm-protocol.md, "Windows"): its other ranks' chunks stay
 * where they are, rank 0's own go with the block.
 */
#include "dsm/arrays/window.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Where the block is to stand. NULL: no memory. What counts of the old block counts no more. */
static char *place_take(char *old, size_t bytes) {
    char *place = dsm_heap_resize(old, bytes);
    if (!place) {
        place = dsm_heap_alloc(bytes, 16);
        if (place)
            dsm_guard_new(place, bytes);
    }
    return place;
}

/* Has rank 0 the bytes of one of its own chunks? */
static bool is_here(const struct dsm_window *window, long c) {
    return !dsm_window_leaves(window, c) && window->states[c] != DSM_CHUNK_ZERO;
}

/* Rank 0's chunks of a block that has moved; its pages can be written, the old ones be read. */
static void chunks_move(const struct dsm_window *had, const struct dsm_window *window) {
    for (long c = 0; c < had->count && c < window->count; ++c) {
        size_t old = dsm_window_length(had, c), now = dsm_window_length(window, c);
        if (!is_here(had, c))
            continue;
        memcpy(dsm_window_memory(window, c), dsm_window_memory(had, c), old < now ? old : now);
        dsm_clib_advise(dsm_window_memory(had, c), old, MADV_DONTNEED);
    }
}

static void count_own(const struct dsm_window *window, int sign) {
    for (long c = 0; c < window->count; ++c)
        if (is_here(window, c))
            dsm_windows_count(sign * (long)dsm_window_length(window, c));
}

/* Only rank 0's own chunks can be touched; what is new has the state ZERO. */
static void states_grow(const struct dsm_window *had, struct dsm_window *window) {
    size_t count = (size_t)window->count;
    long kept = had->count < window->count ? had->count : window->count;
    window->states = dsm_own_realloc(window->states, count);
    window->holds = dsm_own_realloc(window->holds, count * sizeof *window->holds);
    memset(window->holds, 0, count * sizeof *window->holds);
    memset(window->states + kept, DSM_CHUNK_ZERO, count - (size_t)kept);
    dsm_protect(window->low, window->low + window->bytes, PROT_NONE);
    for (long c = 0; c < kept; ++c)
        if (is_here(window, c)) {
            dsm_window_protect(window, c, PROT_READ | PROT_WRITE);
            window->states[c] = DSM_CHUNK_DIRTY;
        }
}

static void window_place(struct dsm_window *window, char *place, size_t bytes) {
    struct dsm_window had = *window;
    if (window->depot)
        dsm_window_depot_resize(window, dsm_page_up(bytes));
    window->low = place;
    window->used = bytes;
    window->bytes = dsm_page_up(bytes);
    window->count = (long)((window->bytes + window->chunk - 1) / window->chunk);
    dsm_clib_advise(place, window->bytes, MADV_NOHUGEPAGE);
    count_own(&had, -1);
    if (had.low != place)
        chunks_move(&had, window);
    states_grow(&had, window);
    count_own(window, 1);
    dsm_window_tell(window, DSM_WINDOW_RESIZE);
    if (had.low != place)
        dsm_heap_free(had.low);
}

bool dsm_window_realloc(void *old, size_t bytes, void **memory) {
    struct dsm_window *window =
        dsm_job.budget && bytes >= dsm_window_least() ? dsm_window_settled(old) : NULL;
    if (!window)
        return false;
    bool can = window->low == (char *)old && !dsm_window_is_held(window);
    size_t had = window->used;
    int number = window->number;
    if (can)
        dsm_window_empty(window);
    dsm_windows_unlock();
    if (!can)
        return false;
    dsm_watch_hit(old, (char *)old + had);
    *memory = place_take(old, bytes);
    dsm_windows_lock();
    if (*memory)
        window_place(dsm_window_numbered(number), *memory, bytes);
    dsm_windows_unlock();
    return true;
}

bool dsm_window_copies(const void *old, size_t bytes) {
    return dsm_job.budget && (bytes >= dsm_window_least() || dsm_is_windowed(old, (char *)old + 1));
}
