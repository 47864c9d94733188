/* What the hooks ask before they let the kernel or the allocator at user memory. */
#include "dsm/arrays/guard.h"
#include "dsm/memory/spill.h"

#include <errno.h>

/* Of spilled memory a call holds no more than this at a time, where it can do with parts. */
#define MOST_HELD (1UL << 20)

void dsm_guard_touch(const void *address, size_t bytes, bool write) {
    const char *low = address;
    if (atomic_load_explicit(&dsm_guarded, memory_order_relaxed) == 0 || bytes == 0)
        return;
    dsm_home_touch(low, low + bytes, DSM_TOUCH_READ);
    if (write)
        dsm_watch_hit(low, low + bytes);
}

size_t dsm_hold(const void *address, size_t bytes, bool write, struct dsm_hold *hold) {
    size_t sixteenth = dsm_spill.budget / 16;
    *hold = (struct dsm_hold){0};
    size_t part = dsm_window_hold(address, bytes, write, hold);
    if (part > 0)
        return part;
    hold->spilled = address;
    hold->bytes = dsm_spill_hold(address, bytes, sixteenth < MOST_HELD ? sixteenth : MOST_HELD);
    dsm_guard_touch(address, hold->bytes, write);
    return hold->bytes;
}

void dsm_hold_all(const void *address, size_t bytes, bool write, struct dsm_hold *hold) {
    dsm_let(hold);
    if (dsm_window_hold(address, bytes, write, hold) >= bytes)
        return;
    hold->spilled = address;
    hold->bytes = dsm_spill_hold(address, bytes, SIZE_MAX);
    dsm_guard_touch(address, bytes, write);
}

void dsm_let(struct dsm_hold *hold) {
    int error = errno;
    dsm_window_let(hold);
    dsm_spill_let(hold->spilled, hold->bytes);
    *hold = (struct dsm_hold){0};
    errno = error;
}

/* The memory goes to somebody else, or goes elsewhere: what it held counts no more. */
static void leave(const char *low, size_t bytes, enum dsm_touch how) {
    if (atomic_load_explicit(&dsm_guarded, memory_order_relaxed) == 0)
        return;
    dsm_home_touch(low, low + bytes, how);
    dsm_watch_hit(low, low + bytes);
}

void dsm_guard_free(const void *address, size_t bytes) {
    leave(address, bytes, DSM_TOUCH_FREE);
}

void dsm_guard_move(const void *address, size_t bytes) {
    leave(address, bytes, DSM_TOUCH_MOVE);
}

void dsm_guard_new(const void *address, size_t bytes) {
    leave(address, bytes, DSM_TOUCH_FREE);
}

void dsm_acquire(const void *address, size_t bytes, bool write) {
    dsm_guard_touch(address, bytes, write);
}

/* Watches and arrays on the heap are told; of what is free there are none. */
bool dsm_heap_put(const void *image, size_t bytes) {
    if (!dsm_image_is(image, bytes))
        return false;
    dsm_acquire(dsm_reservation.low, (size_t)(dsm_reservation.middle - dsm_reservation.low), true);
    dsm_image_put(image);
    return true;
}
