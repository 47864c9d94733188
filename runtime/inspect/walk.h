/* A walk over the iterations: what finds the keys and what packs the records have in common. */
#ifndef ORRERY_RUNTIME_WALK_H
#define ORRERY_RUNTIME_WALK_H

#include "runtime/inspect/inspect.h"

#include "runtime/threads/workers.h"

struct lane; /* what one worker saw (inspect.c) */

/* Iterations that are asked for their keys at once. */
enum { WALK_BATCH = 256 };

/* One walk over all iterations by all workers, each over a contiguous share. */
struct walk {
    const struct orrery_loop *loop; /* the inspected one */
    const void *env;                /* its environment in this run */
    long count;                     /* its iterations */
    int workers;                    /* threads that walk, each a share of the iterations */
    /* where dims, grid and tally are, made before records are packed */
    const struct orrery_inspection *inspection;
    struct lane *lanes;             /* per worker */
    struct orrery_counter *counter; /* adds up what keys the iterations have */
    long *histograms[ORRERY_DIMS];  /* where all add atomically what no counter has; NULL else */
    long *cursors;          /* per worker and block: iterations, then where the next one goes */
    long blocks;            /* of the grid */
    long row_low, row_high; /* rows whose records are packed */
    const struct orrery_packed *packed; /* ... to here */
};

/* Where a worker's share of this rank's iterations begins. */
static inline long walk_share(const struct walk *walk, int worker) {
    const struct orrery_inspection *inspection = walk->inspection;
    return inspection->first +
           orrery_share(inspection->last - inspection->first, worker, walk->workers);
}

/* Of `count` iterations: what has no keys says nothing of them. */
static inline void walk_keys_none(long *keys, long count) {
    for (long k = 0; k < count * ORRERY_KEYS; ++k)
        keys[k] = ORRERY_NO_KEY;
}

/* How many iterations the batch at i has, of those before `end`. */
static inline long walk_batch(long i, long end) {
    return end - i < WALK_BATCH ? end - i : WALK_BATCH;
}

/* An iteration that touches no row through a dim may stand anywhere along it. */
static inline long walk_part(const struct orrery_dim *dim, long key, long i) {
    if (dim->parts == 1)
        return 0;
    return key == ORRERY_NO_KEY ? i % dim->parts : dim->part_of[key - dim->low];
}

/* The blocks of iterations i .. i + n - 1, which have these keys. */
void walk_blocks_of(const struct walk *walk, const long *keys, long i, long n, uint32_t *blocks);

/* Keeps them in inspection->numbers, so many bytes, and reads them there. */
size_t walk_kept_bytes(const struct orrery_inspection *inspection);
void walk_blocks_keep(const struct walk *walk, long i, long n, const uint32_t *blocks);
void walk_blocks_kept(const struct walk *walk, long i, long n, uint32_t *blocks);

static inline void walk_start(struct walk *walk, const struct orrery_loop *loop, const void *env,
                              long count, const struct orrery_inspection *inspection) {
    *walk = (struct walk){.loop = loop,
                          .env = env,
                          .count = count,
                          .workers = orrery_workers_count(),
                          .inspection = inspection};
}

#endif
