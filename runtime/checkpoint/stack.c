#define _GNU_SOURCE
#include "runtime/checkpoint/stack.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>

/* Below the global heap's first place (dsm/memory/reservation.c). */
#define BASE 0x1f0000000000UL
#define LEAST (8UL << 20)
#define MOST (1UL << 30)
#define GUARD (1UL << 20)

static struct {
    struct dsm_range range;
    ucontext_t outside, inside;
    int (*main)(int, char **, char **);
    int argc, result;
    char **argv, **environment;
} stack;

struct dsm_range orrery_stack_range(void) {
    return stack.range;
}

/* The limit is part of the environment, the address of the stack's top is not. */
static size_t wanted(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > MOST)
        return MOST;
    return limit.rlim_cur < LEAST ? LEAST : (size_t)limit.rlim_cur & ~4095UL;
}

void orrery_stack_make(void) {
    size_t bytes = wanted();
    char *low = (char *)BASE + MOST + GUARD - bytes; // NOLINT(performance-no-int-to-ptr)
    if (!dsm_own_map_at(low, bytes))
        dsm_fail(1, "checkpoint: no room for the program's stack at %p: %s", (void *)low,
                 strerror(errno));
    stack.range = (struct dsm_range){low, low + bytes};
}

/* The arguments go to the top, and what is left below them is the stack. */
static char *arguments_copy(char *top) {
    size_t bytes = 0;
    for (int i = 0; i < stack.argc; ++i)
        bytes += strlen(stack.argv[i]) + 1;
    bytes = (bytes + 63) & ~(size_t)63;
    char *text = top - bytes;
    char **table = (char **)(void *)text - (stack.argc + 1);
    for (int i = 0; i < stack.argc; ++i) {
        table[i] = strcpy(text, stack.argv[i]);
        text += strlen(text) + 1;
    }
    table[stack.argc] = NULL;
    stack.argv = table;
    return (char *)((uintptr_t)table & ~(uintptr_t)63); // NOLINT(performance-no-int-to-ptr)
}

static void inside(void) {
    stack.result = stack.main(stack.argc, stack.argv, stack.environment);
}

int orrery_stack_run(int (*main)(int, char **, char **), int argc, char **argv,
                     char **environment) {
    stack.main = main;
    stack.argc = argc;
    stack.argv = argv;
    stack.environment = environment;
    char *low = (char *)(uintptr_t)stack.range.low; // NOLINT(performance-no-int-to-ptr)
    char *top = arguments_copy(low + (stack.range.high - stack.range.low));
    getcontext(&stack.inside);
    stack.inside.uc_stack.ss_sp = low;
    stack.inside.uc_stack.ss_size = (size_t)(top - low);
    stack.inside.uc_link = &stack.outside;
    makecontext(&stack.inside, inside, 0);
    swapcontext(&stack.outside, &stack.inside);
    return stack.result;
}
