/* A walk over the iterations: what finds the keys and what packs the records have in common. */
#ifndef ORRERY_RUNTIME_WALK_H
#define ORRERY_RUNTIME_WALK_H

#include "runtime/inspect/inspect.h"

#include "runtime/threads/workers.h"

struct lane; /* what one worker saw (inspect.c) */

/* One walk over all iterations by all workers, each over a contiguous share. */
struct walk {
    const struct orrery_loop *loop; /* the inspected one */
    const void *env;                /* its environment in this run */
    long count;                     /* its iterations */
    int workers;                    /* threads that walk, each a share of the iterations */
    /* where dims, grid and tally are, made before records are packed */
    const struct orrery_inspection *inspection;
    struct lane *lanes;            /* per worker */
    long *histograms[ORRERY_DIMS]; /* iterations per key; one after the other, so many */
    int copies[ORRERY_DIMS];       /* workers when each has its own, else 1: all add atomically */
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

static inline void walk_keys_none(long keys[ORRERY_KEYS]) {
    for (int k = 0; k < ORRERY_KEYS; ++k)
        keys[k] = ORRERY_NO_KEY;
}

/* An iteration that touches no row through a dim may stand anywhere along it. */
static inline long walk_part(const struct orrery_dim *dim, long key, long i) {
    if (dim->parts == 1)
        return 0;
    return key == ORRERY_NO_KEY ? i % dim->parts : dim->part_of[key - dim->low];
}

static inline long walk_block(const struct walk *walk, const long *keys, long i) {
    const struct orrery_loop *loop = walk->loop;
    long parts[ORRERY_KEYS];
    for (int k = 0; k < loop->nkeys; ++k)
        parts[k] = walk_part(&walk->inspection->dims[loop->keys[k].dim], keys[k], i);
    return orrery_block_of(&walk->inspection->blocks, parts);
}

static inline void walk_start(struct walk *walk, const struct orrery_loop *loop, const void *env,
                              long count, const struct orrery_inspection *inspection) {
    *walk = (struct walk){.loop = loop,
                          .env = env,
                          .count = count,
                          .workers = orrery_workers_count(),
                          .inspection = inspection};
}

#endif
