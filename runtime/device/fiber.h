/*
 * Fibers: threads of control that switch by themselves. For the host shim, which has one per lane.
 * Of one system thread only.
 */
#ifndef ORRERY_RUNTIME_FIBER_H
#define ORRERY_RUNTIME_FIBER_H

#include <stddef.h>

/* For what the shim itself keeps: its fibers take turns, whatever the race detector is told. */
#define ORRERY_UNWATCHED __attribute__((__no_sanitize__("thread")))

/* A fiber, or what switched to one (made by the first switch). Fields are fiber.c's. */
struct orrery_fiber {
    void *saved, *stack, *shadow, *race;
    size_t bytes;
    void (*run)(void *data);
    void *data;
};

/* Makes a fiber that will call run(data), which must not return; on `bytes` of memory at `stack`,
 * the caller's, aligned to 64. */
void orrery_fiber_make(struct orrery_fiber *fiber, void *stack, size_t bytes,
                       void (*run)(void *data), void *data);

/* Goes on with `to`; returns when somebody switches to `from`. `ends`: nobody will. */
void orrery_fiber_switch(struct orrery_fiber *from, struct orrery_fiber *to, int ends);

/* The fiber will not run again. */
void orrery_fiber_free(struct orrery_fiber *fiber);

#endif
