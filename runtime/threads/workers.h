/*
 * The worker threads of a rank. They are started once, at the first region, and live on; worker 0
 * is the thread that calls.
 */
#ifndef ORRERY_RUNTIME_WORKERS_H
#define ORRERY_RUNTIME_WORKERS_H

#include "runtime/schedule/share.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A counter that one thread raises and others wait for. Waiters spin briefly, then sleep in the
 * kernel. On a cache line of its own.
 */
struct orrery_flag {
    _Alignas(64) atomic_uint value;
    atomic_uint sleepers;
};

void orrery_flag_set(struct orrery_flag *flag, unsigned value);
void orrery_flag_wait(struct orrery_flag *flag, unsigned value);
bool orrery_flag_is(struct orrery_flag *flag, unsigned value);

/* How many workers there are, or would be if they were started now. */
int orrery_workers_wanted(void);

/* The number of workers of this rank; starts them at the first call. */
int orrery_workers_count(void);

/* Is this thread one of those that were started? Any thread may ask. */
bool orrery_worker_is_here(void);

/* How many threads the loaders of orrery.h may start; they are theirs, not the workers. */
int orrery_load_threads(void);

/* Calls job(data, w) on every worker w at once; returns when all have returned. */
void orrery_workers_run(void (*job)(void *data, int worker), void *data);

#endif
