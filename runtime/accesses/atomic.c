/* Atomic operations: a load reads, a store writes, everything else does both. All are carried out
 * in the strictest order. */
#include "runtime/accesses/watch.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"

#define CALLER ((uintptr_t)__builtin_return_address(0))

static inline void note(const volatile void *at, size_t size, bool read, bool write, uintptr_t pc) {
    if (!watch_is_on())
        return;
    if (read)
        shadow_read((uintptr_t)at, size, pc);
    if (write)
        shadow_write((uintptr_t)at, size, pc);
}

#define FETCH(bits, type, name)                                                                    \
    type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, int order) {            \
        (void)order;                                                                               \
        note(at, sizeof *at, true, true, CALLER);                                                  \
        return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);                                 \
    }

#define COMPARE(bits, type, name, weak)                                                            \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected,           \
                                                      type wanted, int order, int failed) {        \
        (void)order;                                                                               \
        (void)failed;                                                                              \
        note(at, sizeof *at, true, true, CALLER);                                                  \
        return __atomic_compare_exchange_n(at, expected, wanted, weak, __ATOMIC_SEQ_CST,           \
                                           __ATOMIC_SEQ_CST);                                      \
    }

#define ATOMICS(bits, type)                                                                        \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) {                          \
        (void)order;                                                                               \
        note(at, sizeof *at, true, false, CALLER);                                                 \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                   \
        (void)order;                                                                               \
        note(at, sizeof *at, false, true, CALLER);                                                 \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                              \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) {                \
        (void)order;                                                                               \
        note(at, sizeof *at, true, true, CALLER);                                                  \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                   \
    }                                                                                              \
    FETCH(bits, type, add)                                                                         \
    FETCH(bits, type, sub)                                                                         \
    FETCH(bits, type, and)                                                                         \
    FETCH(bits, type, or)                                                                          \
    FETCH(bits, type, xor)                                                                         \
    FETCH(bits, type, nand)                                                                        \
    COMPARE(bits, type, strong, 0)                                                                 \
    COMPARE(bits, type, weak, 1)                                                                   \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type wanted, \
                                                    int order, int failed) {                       \
        (void)order;                                                                               \
        (void)failed;                                                                              \
        note(at, sizeof *at, true, true, CALLER);                                                  \
        __atomic_compare_exchange_n(at, &expected, wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected;                                                                           \
    }

ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)

void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
