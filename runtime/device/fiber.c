#define _GNU_SOURCE
#include "runtime/device/fiber.h"

#include "dsm/dsm.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- sanitizers want to know which stack is in use ---- */

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ADDRESS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ADDRESS 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define WITH_THREAD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WITH_THREAD 1
#endif
#endif

#ifdef WITH_ADDRESS
void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *save, const void **bottom, size_t *size);
void __asan_unpoison_memory_region(const volatile void *memory, size_t size);

static void stack_clean(void *stack, size_t bytes) {
    __asan_unpoison_memory_region(stack, bytes);
}

static void leave(struct orrery_fiber *from, const struct orrery_fiber *to, int ends) {
    __sanitizer_start_switch_fiber(ends ? NULL : &from->shadow, to->stack, to->bytes);
}

/* The thread's own stack is learnt from the first switch away from it. */
static void arrive(struct orrery_fiber *self, struct orrery_fiber *before) {
    const void *bottom = NULL;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(self->shadow, &bottom, &size);
    if (before && !before->stack) {
        before->stack = (void *)(uintptr_t)bottom;
        before->bytes = size;
    }
}
#else
static void stack_clean(void *stack, size_t bytes) {
    (void)stack;
    (void)bytes;
}

static void leave(struct orrery_fiber *from, const struct orrery_fiber *to, int ends) {
    (void)from;
    (void)to;
    (void)ends;
}

static void arrive(struct orrery_fiber *self, struct orrery_fiber *before) {
    (void)self;
    (void)before;
}
#endif

/* ---- the race detector ----------------------------------------------------------------------- */
/* Every fiber is a thread to it. What the scheduler did comes before what a fiber does,
 * what a fiber did comes before what the scheduler does only at its end: so what orders
 * two fibers is what would order two warps. */

#ifdef WITH_THREAD
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);

static void race_make(struct orrery_fiber *fiber) {
    fiber->race = __tsan_create_fiber(0);
}

ORRERY_UNWATCHED static void race_switch(struct orrery_fiber *from, const struct orrery_fiber *to,
                                         int ends) {
    enum { NO_ORDER = 1 };
    bool scheduler = !from->run;
    if (!from->race)
        from->race = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->race, scheduler || ends ? 0 : NO_ORDER);
}

void orrery_fiber_free(struct orrery_fiber *fiber) {
    __tsan_destroy_fiber(fiber->race);
}
#else
static void race_make(struct orrery_fiber *fiber) {
    fiber->race = NULL;
}

static void race_switch(struct orrery_fiber *from, const struct orrery_fiber *to, int ends) {
    (void)from;
    (void)to;
    (void)ends;
}

void orrery_fiber_free(struct orrery_fiber *fiber) {
    fiber->race = NULL;
}
#endif

/* Who switched last: a fiber's first words are about it. */
static struct orrery_fiber *previous, *entered;

ORRERY_UNWATCHED static void begin(void) {
    struct orrery_fiber *self = entered;
    arrive(self, previous);
    self->run(self->data);
    dsm_fail(1, "a fiber of the host shim came to its end");
}

/* ---- the switch ---- */

/* System V ABI, 3.2.1: rbx, rbp and r12 to r15 belong to the caller; so do the control words. */
void orrery_fiber_jump(void **save, void *to);
__asm__(".text\n"
        ".globl orrery_fiber_jump\n"
        ".type orrery_fiber_jump, @function\n"
        "orrery_fiber_jump:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size orrery_fiber_jump, . - orrery_fiber_jump\n");

void orrery_fiber_make(struct orrery_fiber *fiber, void *stack, size_t bytes,
                       void (*run)(void *data), void *data) {
    enum { SAVED = 6 };
    stack_clean(stack, bytes);
    *fiber = (struct orrery_fiber){.stack = stack, .bytes = bytes, .run = run, .data = data};
    void **top = (void **)((char *)stack + bytes) - 2;
    void (*start)(void) = begin;
    memset(top - SAVED, 0, (SAVED + 2) * sizeof *top);
    memcpy(top, &start, sizeof start);
    fiber->saved = top - SAVED;
    race_make(fiber);
}

ORRERY_UNWATCHED void orrery_fiber_switch(struct orrery_fiber *from, struct orrery_fiber *to,
                                          int ends) {
    previous = from;
    entered = to;
    leave(from, to, ends);
    race_switch(from, to, ends);
    orrery_fiber_jump(&from->saved, to->saved);
    arrive(from, NULL);
}
