/* The marks of the text: which loops run, and which iteration each is in. */
#define _GNU_SOURCE
#include "runtime/accesses/follow.h"
#include "runtime/accesses/marks.h"
#include "runtime/accesses/watch.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <x86intrin.h>

#pragma GCC diagnostic ignored "-Wframe-address"

/* Nothing else is mapped that near to the first thread's stack. */
#define MOST_STACK ((uintptr_t)64 << 20)

static struct watch_level none;
static uintptr_t stack_top, stack_size;

struct watch watch = {.now = 1, .top = &none, .span = watch.spans};
struct watch_level watch_levels[WATCH_LEVELS];
__thread bool watch_mine __attribute__((tls_model("initial-exec")));

/* ---- the nest -------------------------------------------------------------------------------- */

uintptr_t watch_reach(uintptr_t frame) {
    uintptr_t above = stack_top - frame;
    return above < stack_size ? stack_size - above : 0;
}

/* What accesses look at follows from the levels. */
static void settle(void) {
    if (watch.recording)
        follow_stop();
    watch.top = watch.depth > 0 ? &watch_levels[watch.depth - 1] : &none;
    watch.on = watch.depth > 0 && watch.now < WATCH_LAST_TIME;
    watch.reach = watch.on ? watch_reach(watch.top->frame) : 0;
    if (watch.depth == 0)
        return;
    watch.span = &watch.spans[watch.depth - 1];
    watch.frame = watch.top->frame;
    watch.first = watch.spans[0].begin;
    watch.past = watch.span->iteration - watch.first;
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

void watch_resume(void) {
    settle();
}

void watch_leave(uintptr_t frame) {
    if (watch.following)
        follow_finish();
    while (watch.depth > 0 && watch_levels[watch.depth - 1].frame <= frame)
        pop();
    settle();
}

void watch_cut(void) {
    while (watch.depth > 0)
        pop();
}

void watch_suspend(void) {
    if (watch.following | watch.recording)
        follow_stop();
    watch.on = false;
    watch.reach = 0;
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

static uint32_t start_of(const struct watch_level *level, uint64_t number) {
    return level->starts[number % WATCH_RING];
}

/* The last iteration, from `low` on, that began up to `time`: most are equally long. */
static uint64_t search(const struct watch_level *level, uint64_t low, uint32_t time) {
    uint64_t high = level->count;
    uint32_t first = start_of(level, low), span = start_of(level, high - 1) - first;
    uint64_t guess = span ? low + (time - first) * (high - 1 - low) / span : low;
    if (guess + 1 < high && start_of(level, guess) <= time && time < start_of(level, guess + 1))
        return guess;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (start_of(level, middle) <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t watch_number(const struct watch_level *level, uint32_t time, uint32_t *start) {
    uint64_t oldest = level->count > WATCH_STARTS ? level->count - WATCH_STARTS : 0;
    if (level->count == 0 || start_of(level, oldest) > time)
        return -1;
    bool just = level->count > 1 && start_of(level, level->count - 2) <= time;
    uint64_t number = just ? level->count - 2 : search(level, oldest, time);
    *start = start_of(level, number);
    return (int64_t)number;
}

/* ---- marks ----------------------------------------------------------------------------------- */

#define CALLER_FRAME ((uintptr_t)__builtin_frame_address(1))

/* True: `settle` has to follow. */
static inline bool watched(void) {
    if (!watch.wanted || !watch_mine)
        return false;
    if (watch.following)
        follow_finish();
    return true;
}

/* The loop's condition and step are its own; its initial part is not. */
static void push(struct watch_loop *loop, uintptr_t frame) {
    struct watch_level *level = &watch_levels[watch.depth];
    uint32_t begin = watch.now + 1;
    struct watch_span *span = &watch.spans[watch.depth];
    span->begin = span->iteration = span->previous = begin;
    ++watch.depth;
    level->loop = loop;
    level->frame = frame;
    level->count = 0;
    level->try_at = 1;
    level->ticks = __rdtsc();
    level->touches = watch.touches;
    level->nkeys = 0;
    ++loop->instances;
    ++loop->active;
}

/* What was learned of conflicts in the loop before does not hold from now on. */
static void renew(struct watch_span *span) {
    static uint64_t serial;
    span->serial = ++serial;
}

/* The variables of a loop that begins. Returns whether they are those of the last loop there. */
static bool take_variables(struct watch_level *level, unsigned count, va_list arguments) {
    int wanted = count < WATCH_VARIABLES ? (int)count : WATCH_VARIABLES;
    bool same = level->nvariables == wanted;
    level->nvariables = wanted;
    for (int i = 0; i < wanted; ++i) {
        struct watch_range *range = &level->variables[i];
        uintptr_t at = (uintptr_t)va_arg(arguments, void *);
        size_t size = va_arg(arguments, unsigned long);
        same &= range->at == at && range->size == size;
        *range = (struct watch_range){at, size};
    }
    return same;
}

/* Only the copy of this library that the marks call takes address space: a program and its shared
 * libraries may each hold one. */
static bool has_shadow(void) {
    static bool asked;
    if (!asked)
        watch.wanted = shadow_start();
    asked = true;
    return watch.wanted;
}

void __orrery_accesses_begin(void *mark, void *around, unsigned count, ...) {
    if (!watched() || !has_shadow())
        return;
    pop_to(around, CALLER_FRAME);
    if (watch.depth < WATCH_LEVELS) {
        struct watch_level *level = &watch_levels[watch.depth];
        bool same = level->loop == mark && level->frame == CALLER_FRAME;
        push(mark, CALLER_FRAME);
        va_list arguments;
        va_start(arguments, count);
        if (!take_variables(level, count, arguments) || !same)
            renew(&watch.spans[watch.depth - 1]);
        va_end(arguments);
    }
    settle();
}

static inline void iterate(struct watch_level *top) {
    struct watch_span *span = watch.span;
    span->previous = span->iteration;
    span->iteration = ++watch.now;
    watch.past = watch.now - watch.first;
    top->starts[top->count++ % WATCH_RING] = watch.now;
}

/* Loops inside were left by a jump, or nothing is watched. */
static __attribute__((noinline)) int iterate_after_jump(void *mark, uintptr_t frame) {
    if (!watched())
        return 1;
    pop_to(mark, frame);
    settle();
    if (watch_is_on() && watch.top->loop == mark && watch.top->frame == frame)
        iterate(watch.top);
    settle();
    return 1;
}

int __orrery_accesses_iterate(void *mark) {
    if (follow_expects_mark(mark))
        return 1;
    struct watch_level *top = watch.top;
    if (!watch.on || watch.following || !watch_mine || top->loop != mark ||
        top->frame != CALLER_FRAME || watch.now >= WATCH_LAST_TIME - 1)
        return iterate_after_jump(mark, CALLER_FRAME);
    iterate(top);
    if (top->count >= top->try_at)
        follow_try(top);
    return 1;
}

int __orrery_accesses_test(void *mark) {
    return __orrery_accesses_iterate(mark);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* By depth: the keys of a level's last iterations; made when they are needed first. */
static int64_t (*keys[WATCH_LEVELS])[WATCH_KEYS];

const int64_t *watch_keys(int level, int64_t number) {
    return keys[level][number % WATCH_STARTS];
}

static int64_t *keys_now(int level) {
    if (!keys[level]) {
        void *got = mmap(NULL, WATCH_STARTS * sizeof *keys[level], PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        keys[level] = got == MAP_FAILED ? NULL : got;
    }
    uint64_t number = watch_levels[level].count - 1;
    return keys[level] ? keys[level][number % WATCH_STARTS] : NULL;
}

/* What is evaluated between this and `tell` is none of the program's doing. */
int __orrery_accesses_ask(void *mark) {
    struct watch_level *top = watch.top;
    if (!watch_is_on() || top->loop != mark || top->frame != CALLER_FRAME ||
        watch.now >= WATCH_LAST_TIME - 1)
        iterate_after_jump(mark, CALLER_FRAME);
    else
        iterate(top);
    top = watch.top;
    if (!watch_is_on() || top->loop != mark || top->frame != CALLER_FRAME)
        return 1;
    watch.wanted = false;
    watch_suspend();
    return top->count == 1 ? 3 : 2;
}

void __orrery_accesses_tell(void *mark, int holds, unsigned count, ...) {
    struct watch_loop *loop = mark;
    int64_t *now = count > 0 ? keys_now(watch.depth - 1) : NULL;
    va_list arguments;
    va_start(arguments, count);
    for (unsigned i = 0; now && i < count && i < WATCH_KEYS; ++i)
        now[i] = va_arg(arguments, long);
    va_end(arguments);
    if (now && watch.top->nkeys == 0)
        renew(watch.span);
    watch.top->nkeys = now ? (int)count : 0;
    ++loop->told;
    loop->failed += !holds;
    watch.wanted = true;
    settle();
}

/* ---- ends ------------------------------------------------------------------------------------ */

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
    follow_drop();
    watch.wanted = false;
    watch_suspend();
    watch.depth = 0;
}

/* The environment stands above all frames. */
static void find_stack(void) {
    struct rlimit limit;
    stack_top = (uintptr_t)environ;
    bool known = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < MOST_STACK;
    stack_size = known ? limit.rlim_cur : MOST_STACK;
}

static void __attribute__((constructor(101))) start(void) {
    const char *folder = getenv("ORRERY_ACCESSES");
    watch.wanted = folder && *folder;
    watch_mine = true;
    find_stack();
    if (!watch.wanted)
        return;
    pthread_atfork(NULL, NULL, forked);
    signals_watch();
}

static void __attribute__((destructor)) stop(void) {
    watch_leave(UINTPTR_MAX);
    report_write(0);
}
