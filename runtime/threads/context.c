#define _GNU_SOURCE
#include "runtime/threads/context.h"

#include <errno.h>
#include <stdatomic.h>

/*
 * Of the region that runs. `exceptions`: raised by any worker; `error`: errno of the mathematical
 * library in the low half, one more than the worker that had it in the high half. `before`: errno
 * of the program's thread when it came here, since what the runtime asks of the kernel sets it too.
 */
static struct {
    atomic_int exceptions;
    atomic_int error;
    atomic_int stopped;
    int before;
} marks;

enum { HALF = 1 << 16 };

static void clear(void) {
    atomic_store_explicit(&marks.exceptions, 0, memory_order_relaxed);
    atomic_store_explicit(&marks.error, 0, memory_order_relaxed);
    atomic_store_explicit(&marks.stopped, 0, memory_order_relaxed);
}

void orrery_context_begin(void) {
    marks.before = errno;
    clear();
}

void orrery_context_end(void) {
    struct orrery_marks left = orrery_context_marks();
    if (left.exceptions & ~fetestexcept(FE_ALL_EXCEPT))
        fesetexcept(left.exceptions);
    errno = left.error ? left.error : marks.before;
}

void orrery_context_adopt(const fenv_t *floats) {
    fesetenv(floats);
    clear();
}

struct orrery_marks orrery_context_marks(void) {
    return (struct orrery_marks){atomic_load_explicit(&marks.exceptions, memory_order_relaxed),
                                 atomic_load_explicit(&marks.error, memory_order_relaxed) % HALF,
                                 atomic_load_explicit(&marks.stopped, memory_order_relaxed)};
}

bool orrery_context_stop(void) {
    return !atomic_exchange_explicit(&marks.stopped, 1, memory_order_relaxed);
}

void orrery_context_add(struct orrery_marks left) {
    if (left.stopped)
        orrery_context_stop();
    atomic_fetch_or_explicit(&marks.exceptions, left.exceptions, memory_order_relaxed);
    if (left.error)
        atomic_store_explicit(&marks.error, left.error, memory_order_relaxed);
}

void orrery_context_enter(const fenv_t *floats) {
    if (floats)
        fesetenv(floats);
    errno = 0;
}

/* Of several workers the last one's counts. */
void orrery_context_leave(int worker) {
    int raised = fetestexcept(FE_ALL_EXCEPT), error = errno;
    if (raised & ~atomic_load_explicit(&marks.exceptions, memory_order_relaxed))
        atomic_fetch_or_explicit(&marks.exceptions, raised, memory_order_relaxed);
    if (error != EDOM && error != ERANGE)
        return;
    int mine = (worker + 1) * HALF + error;
    int seen = atomic_load_explicit(&marks.error, memory_order_relaxed);
    while (seen / HALF <= worker + 1 && !atomic_compare_exchange_weak(&marks.error, &seen, mine))
        ;
}
