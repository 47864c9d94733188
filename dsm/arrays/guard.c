/* What the hooks ask before they let the kernel or the allocator at user memory. */
#include "dsm/arrays/guard.h"

void dsm_guard_touch(const void *address, size_t bytes, bool write) {
    const char *low = address;
    if (atomic_load_explicit(&dsm_guarded, memory_order_relaxed) == 0 || bytes == 0)
        return;
    dsm_home_touch(low, low + bytes, DSM_TOUCH_READ);
    if (write)
        dsm_watch_hit(low, low + bytes);
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
