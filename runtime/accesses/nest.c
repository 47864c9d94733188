/* The marks of the text: which loops run, and which iteration each is in. */
#include "runtime/accesses/marks.h"
#include "runtime/accesses/watch.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#pragma GCC diagnostic ignored "-Wframe-address"

struct watch watch = {.now = 1};
struct watch_level watch_levels[WATCH_LEVELS];
__thread bool watch_mine __attribute__((tls_model("initial-exec")));

/* ---- the nest -------------------------------------------------------------------------------- */

/* What accesses look at follows from the levels. */
static void settle(void) {
    const struct watch_level *top = &watch_levels[watch.depth - 1];
    watch.on = watch.depth > 0 && watch.now < WATCH_LAST_TIME;
    if (watch.depth == 0)
        return;
    watch.iteration = top->iteration;
    watch.begin = top->begin;
    watch.frame = top->frame;
    watch.first = watch_levels[0].begin;
}

static void pop(void) {
    struct watch_level *level = &watch_levels[--watch.depth];
    struct watch_loop *loop = level->loop;
    loop->iterations += level->count;
    loop->met += level->count > 1;
    if (--loop->active > 0)
        return;
    loop->ticks += __rdtsc() - level->ticks;
    loop->touches += watch.touches - level->touches;
}

void watch_leave(uintptr_t frame) {
    while (watch.depth > 0 && watch_levels[watch.depth - 1].frame <= frame)
        pop();
    settle();
}

void watch_suspend(void) {
    watch.on = false;
}

/* Loops of this frame that were left by a jump end; those of deeper frames, too. `stays`: the
 * innermost loop of the frame that goes on, NULL: none does. */
static void pop_to(const struct watch_loop *stays, uintptr_t frame) {
    while (watch.depth > 0) {
        const struct watch_level *top = &watch_levels[watch.depth - 1];
        if (top->frame > frame || (top->frame == frame && top->loop == stays))
            return;
        pop();
    }
}

int watch_level_of(uint32_t time) {
    for (int i = watch.depth - 1; i >= 0; --i) {
        if (time >= watch_levels[i].iteration)
            return -1;
        if (time >= watch_levels[i].begin)
            return i;
    }
    return -1;
}

int64_t watch_number(const struct watch_level *level, uint32_t time) {
    uint64_t oldest = level->count > WATCH_STARTS ? level->count - WATCH_STARTS : 0;
    uint64_t low = oldest, high = level->count;
    if (low == high || level->starts[low % WATCH_STARTS] > time)
        return -1;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (level->starts[middle % WATCH_STARTS] <= time)
            low = middle;
        else
            high = middle;
    }
    return (int64_t)low;
}

uint32_t watch_start(const struct watch_level *level, uint32_t time) {
    int64_t number = watch_number(level, time);
    return number < 0 ? time : level->starts[(uint64_t)number % WATCH_STARTS];
}

/* ---- marks ----------------------------------------------------------------------------------- */

#define CALLER_FRAME ((uintptr_t)__builtin_frame_address(1))

static inline bool watched(void) {
    return watch.wanted && watch_mine;
}

/* The loop's condition and step are its own; its initial part is not. */
static void push(struct watch_loop *loop, uintptr_t frame) {
    struct watch_level *level = &watch_levels[watch.depth++];
    level->loop = loop;
    level->frame = frame;
    level->begin = level->iteration = watch.now + 1;
    level->count = 0;
    level->ticks = __rdtsc();
    level->touches = watch.touches;
    level->nvariables = 0;
    ++loop->instances;
    ++loop->active;
}

void __orrery_accesses_begin(void *mark, void *around, unsigned count, ...) {
    if (!watched())
        return;
    pop_to(around, CALLER_FRAME);
    if (watch.depth < WATCH_LEVELS) {
        push(mark, CALLER_FRAME);
        struct watch_level *level = &watch_levels[watch.depth - 1];
        va_list arguments;
        va_start(arguments, count);
        for (unsigned i = 0; i < count && i < WATCH_VARIABLES; ++i) {
            level->variables[i].at = (uintptr_t)va_arg(arguments, void *);
            level->variables[i].size = va_arg(arguments, unsigned long);
            ++level->nvariables;
        }
        va_end(arguments);
    }
    settle();
}

int __orrery_accesses_iterate(void *mark) {
    if (!watched())
        return 1;
    struct watch_level *top = watch.depth > 0 ? &watch_levels[watch.depth - 1] : NULL;
    if (watch.on && top && top->loop == mark && top->frame == CALLER_FRAME &&
        watch.now < WATCH_LAST_TIME - 1) {
        watch.iteration = top->iteration = ++watch.now;
        top->starts[top->count++ % WATCH_STARTS] = watch.now;
        return 1;
    }
    pop_to(mark, CALLER_FRAME);
    top = watch.depth > 0 ? &watch_levels[watch.depth - 1] : NULL;
    if (top && top->loop == mark && top->frame == CALLER_FRAME && watch.now < WATCH_LAST_TIME) {
        top->iteration = ++watch.now;
        top->starts[top->count++ % WATCH_STARTS] = watch.now;
    }
    settle();
    return 1;
}

int __orrery_accesses_test(void *mark) {
    return __orrery_accesses_iterate(mark);
}

void __orrery_accesses_end(void *mark, int tested) {
    if (!watched())
        return;
    pop_to(mark, CALLER_FRAME);
    struct watch_level *top = watch.depth > 0 ? &watch_levels[watch.depth - 1] : NULL;
    if (top && top->loop == mark && top->frame == CALLER_FRAME) {
        top->count -= tested && top->count > 0;
        pop();
    }
    settle();
}

void __orrery_accesses_leave(void *mark) {
    if (!watched())
        return;
    pop_to(mark, CALLER_FRAME);
    settle();
}

/* ---- begin and end of the process ------------------------------------------------------------ */

static void forked(void) {
    watch.wanted = watch.on = false;
    watch.depth = 0;
}

static void __attribute__((constructor(101))) start(void) {
    const char *folder = getenv("ORRERY_ACCESSES");
    watch.wanted = folder && *folder;
    watch_mine = true;
    if (watch.wanted)
        pthread_atfork(NULL, NULL, forked);
}

static void __attribute__((destructor)) stop(void) {
    watch_leave(UINTPTR_MAX);
    report_write();
}
