/* Runs of 64 KiB units of the global heap: the layer under heap.c. Callers hold the heap's lock. */
#ifndef ORRERY_DSM_RUNS_H
#define ORRERY_DSM_RUNS_H

#include "dsm/memory/memory.h"

#define RUN_UNIT 65536UL

/*
 * A stretch of units, free or in use. In use as one block: `bytes` as asked, `pages` readable
 * bytes. In use for small blocks: `span` is not NULL. `previous`, `next`: in the list of free runs
 * of like length.
 */
struct run {
    size_t first, units;
    bool used;
    size_t bytes, pages;
    struct span *span;
    struct run *previous, *next;
};

void run_start(char *low, char *high);
/* NULL when there is no room. `alignment`: a power of two, at least a unit. */
struct run *run_alloc(size_t units, size_t alignment);
void run_free(struct run *run);
/* The run in use that has this address, or NULL. */
struct run *run_find(const void *address);
/* Takes up to `units` more from the free run behind; false when there are not as many. */
bool run_extend(struct run *run, size_t units);
/* The first run in use that begins in or reaches into [address, high). */
struct run *run_next(const char *address, const char *high);

/* All runs are gone. Then, from the lowest to the highest: a run in use at this place, NULL when it
 * does not fit behind the one before. What is between them is free. */
void run_clear(void);
struct run *run_place(size_t first, size_t units);

static inline char *run_address(const struct run *run) {
    return dsm_reservation.low + run->first * RUN_UNIT;
}

const char *run_check(void);

#endif
