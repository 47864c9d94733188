/*
 * What `-fsanitize=thread` of gcc and clang makes of loads and stores. No code of the sanitizer's
 * own library is linked: these are all of its functions.
 */
#include "runtime/accesses/follow.h"
#include "runtime/accesses/shadow.h"

#pragma GCC diagnostic ignored "-Wframe-address"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Is this access to be noted? Loops of functions that were left by a jump end here. */
static inline __attribute__((always_inline)) bool is_watched(void) {
    if (__builtin_expect(!watch_is_on(), 0))
        return false;
    if ((uintptr_t)__builtin_dwarf_cfa() > watch.frame)
        watch_leave((uintptr_t)__builtin_dwarf_cfa());
    return watch_is_on();
}

/* Not usual: no loop runs, another thread or stack does, the loop's function has been left, or the
 * loop is followed or recorded. */
static __attribute__((noinline)) void access_elsewhere(uintptr_t at, size_t size, uintptr_t pc,
                                                       bool write, uintptr_t here) {
    if (!watch.on || !watch_mine)
        return;
    if (watch.following && here <= watch.frame && follow_learns(at, size, pc, write))
        return;
    if (watch.following)
        follow_stop();
    if (here > watch.frame)
        watch_leave(here);
    if (!watch.on)
        return;
    (write ? shadow_write : shadow_read)(at, size, pc);
    if (watch.recording)
        follow_record(at, size, pc, write);
}

/* What is not followed. */
static inline __attribute__((always_inline)) void
access_now(uintptr_t at, size_t size, uintptr_t pc, bool write, uintptr_t here) {
    if (__builtin_expect(watch_is_near(here), 1))
        shadow_access(at, size, pc, write);
    else if (!follow_lists(at, pc))
        access_elsewhere(at, size, pc, write, here);
}

#define HERE ((uintptr_t)__builtin_dwarf_cfa())

#define ACCESS(name, bytes, write)                                                                 \
    static __attribute__((noinline)) void name##_now(uintptr_t at, uintptr_t pc, uintptr_t here) { \
        access_now(at, bytes, pc, write, here);                                                    \
    }                                                                                              \
    void name(void *at) {                                                                          \
        if (!follow_expects((uintptr_t)at, CALLER))                                                \
            name##_now((uintptr_t)at, CALLER, HERE);                                               \
    }

#define BOTH(name, bytes)                                                                          \
    void name(void *at) {                                                                          \
        if (!follow_expects((uintptr_t)at, CALLER))                                                \
            access_now((uintptr_t)at, bytes, CALLER, false, HERE);                                 \
        if (!follow_expects((uintptr_t)at, CALLER))                                                \
            access_now((uintptr_t)at, bytes, CALLER, true, HERE);                                  \
    }

#define ACCESSES(size)                                                                             \
    ACCESS(__tsan_read##size, size, false)                                                         \
    ACCESS(__tsan_write##size, size, true)                                                         \
    ACCESS(__tsan_volatile_read##size, size, false)                                                \
    ACCESS(__tsan_volatile_write##size, size, true)                                                \
    ACCESS(__tsan_unaligned_read##size, size, false)                                               \
    ACCESS(__tsan_unaligned_write##size, size, true)                                               \
    ACCESS(__tsan_unaligned_volatile_read##size, size, false)                                      \
    ACCESS(__tsan_unaligned_volatile_write##size, size, true)                                      \
    BOTH(__tsan_read_write##size, size)                                                            \
    BOTH(__tsan_unaligned_read_write##size, size)

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
    if ((uintptr_t)__builtin_frame_address(1) >= watch.frame && watch_is_on())
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
