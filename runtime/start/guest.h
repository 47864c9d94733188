/* The run library in a process that is not its own: shared libraries with parallel loops. */
#ifndef ORRERY_RUNTIME_GUEST_H
#define ORRERY_RUNTIME_GUEST_H

#include "runtime/orrery_run.h"

#include <stdbool.h>

/* Is this the shared library (shared.c is in it)? Its process has a main of its own. */
bool orrery_is_guest(void);

/*
 * Starts the run at the first call, waits for other threads' regions, and returns what `run` does,
 * orrery_run's work. What cannot run leaves the thread's orrery_try, or ends the process. Any
 * thread, but not from inside of a region.
 */
int orrery_guest_run(struct orrery_loop *loop, void *env, long count,
                     int (*run)(struct orrery_loop *loop, void *env, long count));

/* The thread is in a region. */
bool orrery_guest_is_inside(void);

/* A program's loop is about to run: what its thread's orrery_try asks for, if it is in one. */
void orrery_try_enter(const struct orrery_loop *loop);

/* An orderly end of the process, registered at the start: figures, traces. */
void orrery_leave(int status, void *unused);

#endif
