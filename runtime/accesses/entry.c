/*
 * What `-fsanitize=thread` of gcc and clang makes of loads and stores. No code of the sanitizer's
 * own library is linked: these are all of its functions.
 */
#include "runtime/accesses/watch.h"

#pragma GCC diagnostic ignored "-Wframe-address"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* Is this access to be noted? Loops of functions that were left by a jump end here. */
static inline bool is_watched(void) {
    if (__builtin_expect(!watch.on, 1) || !watch_mine)
        return false;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (__builtin_expect(here > watch.frame, 0))
        watch_leave(here);
    return watch.on;
}

#define ACCESS(name, kind, bytes)                                                                  \
    void name(void *at) {                                                                          \
        if (is_watched())                                                                          \
            shadow_##kind((uintptr_t)at, bytes, CALLER);                                           \
    }

#define ACCESSES(size)                                                                             \
    ACCESS(__tsan_read##size, read, size)                                                          \
    ACCESS(__tsan_write##size, write, size)                                                        \
    ACCESS(__tsan_volatile_read##size, read, size)                                                 \
    ACCESS(__tsan_volatile_write##size, write, size)                                               \
    ACCESS(__tsan_unaligned_read##size, read, size)                                                \
    ACCESS(__tsan_unaligned_write##size, write, size)                                              \
    ACCESS(__tsan_unaligned_volatile_read##size, read, size)                                       \
    ACCESS(__tsan_unaligned_volatile_write##size, write, size)                                     \
    void __tsan_read_write##size(void *at) {                                                       \
        if (!is_watched())                                                                         \
            return;                                                                                \
        shadow_read((uintptr_t)at, size, CALLER);                                                  \
        shadow_write((uintptr_t)at, size, CALLER);                                                 \
    }                                                                                              \
    void __tsan_unaligned_read_write##size(void *at) {                                             \
        if (!is_watched())                                                                         \
            return;                                                                                \
        shadow_read((uintptr_t)at, size, CALLER);                                                  \
        shadow_write((uintptr_t)at, size, CALLER);                                                 \
    }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *at, unsigned long size) {
    if (is_watched())
        shadow_read((uintptr_t)at, size, CALLER);
}

void __tsan_write_range(void *at, unsigned long size) {
    if (is_watched())
        shadow_write((uintptr_t)at, size, CALLER);
}

void __tsan_vptr_read(void *at) {
    if (is_watched())
        shadow_read((uintptr_t)at, sizeof at, CALLER);
}

void __tsan_vptr_update(void *at, void *value) {
    (void)value;
    if (is_watched())
        shadow_write((uintptr_t)at, sizeof at, CALLER);
}

void __tsan_init(void) {
}

void __tsan_func_entry(void *caller) {
    (void)caller;
}

/* The function's own frame is the one around ours. */
void __tsan_func_exit(void) {
    if (watch.on && watch_mine && (uintptr_t)__builtin_frame_address(1) >= watch.frame)
        watch_leave((uintptr_t)__builtin_frame_address(1));
}

void __tsan_ignore_thread_begin(void) {
}

void __tsan_ignore_thread_end(void) {
}

/* ---- calls that clang makes in place of memcpy and its like ---------------------------------- */

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    if (is_watched()) {
        shadow_read((uintptr_t)from, size, CALLER);
        shadow_write((uintptr_t)to, size, CALLER);
    }
    return __builtin_memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
    if (is_watched()) {
        shadow_read((uintptr_t)from, size, CALLER);
        shadow_write((uintptr_t)to, size, CALLER);
    }
    return __builtin_memmove(to, from, size);
}

void *__tsan_memset(void *to, int value, size_t size) {
    if (is_watched())
        shadow_write((uintptr_t)to, size, CALLER);
    return __builtin_memset(to, value, size);
}
