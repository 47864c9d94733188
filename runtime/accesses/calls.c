/*
 * Calls that make and end memory, that leave functions by a jump, and that end the process: linked
 * by --wrap (accesses_wrap.txt), so that the program's own calls come here first.
 */
#include "runtime/accesses/watch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define CALLER ((uintptr_t)__builtin_return_address(0))

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_memalign(size_t alignment, size_t size);
int __real_posix_memalign(void **into, size_t alignment, size_t size);
void *__real_valloc(size_t size);
void __real_longjmp(void *where, int value) __attribute__((noreturn));
void __real__longjmp(void *where, int value) __attribute__((noreturn));
void __real_siglongjmp(void *where, int value) __attribute__((noreturn));
void __real___longjmp_chk(void *where, int value) __attribute__((noreturn));
void __real__exit(int status) __attribute__((noreturn));
void __real__Exit(int status) __attribute__((noreturn));
void __real_abort(void) __attribute__((noreturn));

/* A block is known from its begin to its end whether a loop runs or not: what it is called. */
static void *born(void *block, size_t size, uintptr_t pc) {
    if (!block || !watch.wanted || !watch_mine)
        return block;
    if (watch_is_on())
        shadow_forget((uintptr_t)block, size);
    block_add((uintptr_t)block, size, pc);
    return block;
}

static void die(void *block) {
    if (!block || !watch.wanted || !watch_mine)
        return;
    if (watch_is_on())
        shadow_forget((uintptr_t)block, block_size((uintptr_t)block));
    block_remove((uintptr_t)block);
}

void *__wrap_malloc(size_t size) {
    return born(__real_malloc(size), size, CALLER);
}

void *__wrap_calloc(size_t count, size_t size) {
    return born(__real_calloc(count, size), count * size, CALLER);
}

/* What moves keeps its contents: the new block has been written by this iteration, then. */
void *__wrap_realloc(void *old, size_t size) {
    uintptr_t pc = CALLER;
    bool known = watch.wanted && watch_mine;
    size_t before = known ? block_size((uintptr_t)old) : 0;
    if (watch_is_on() && before)
        shadow_read((uintptr_t)old, before < size ? before : size, pc);
    void *block = __real_realloc(old, size);
    if (!known || (!block && size > 0))
        return block;
    if (block != old) {
        if (watch_is_on())
            shadow_forget((uintptr_t)old, before);
        block_remove((uintptr_t)old);
        born(block, size, pc);
        if (watch_is_on())
            shadow_write((uintptr_t)block, before < size ? before : size, pc);
    } else if (block) {
        block_add((uintptr_t)block, size, pc);
    }
    return block;
}

void __wrap_free(void *old) {
    die(old);
    __real_free(old);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return born(__real_aligned_alloc(alignment, size), size, CALLER);
}

void *__wrap_memalign(size_t alignment, size_t size) {
    return born(__real_memalign(alignment, size), size, CALLER);
}

void *__wrap_valloc(size_t size) {
    return born(__real_valloc(size), size, CALLER);
}

int __wrap_posix_memalign(void **into, size_t alignment, size_t size) {
    int status = __real_posix_memalign(into, alignment, size);
    if (status == 0)
        born(*into, size, CALLER);
    return status;
}

/* ---- jumps and ends -------------------------------------------------------------------------- */

#define JUMP(name)                                                                                 \
    void __wrap_##name(void *where, int value) {                                                   \
        if (watch_mine)                                                                            \
            watch_suspend();                                                                       \
        __real_##name(where, value);                                                               \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

static void last_words(int signal) {
    if (!watch_mine)
        return;
    watch_leave(UINTPTR_MAX);
    report_write(signal);
}

void __wrap__exit(int status) {
    last_words(0);
    __real__exit(status);
}

void __wrap__Exit(int status) {
    last_words(0);
    __real__Exit(status);
}

void __wrap_abort(void) {
    last_words(SIGABRT);
    __real_abort();
}
