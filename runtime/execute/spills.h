/*
 * The order of a rotation's blocks where its arrays are spilled to a file (docs/dsm-protocol.md,
 * "Spilled memory"). It is another linear extension of the same partial order, so bits are the same.
 *
 * Let a block's time be u = its lap * slots + its row + its clock. Its column is that of slot u
 * modulo the slots. What it waits for is the block of its row at u - 1 and the one of the next row
 * at u; the last row's waits for the first row's at u - slots. So these keys, compared one after the
 * other, are an order: window u / `window`, rows falling, u rising. A worker does so with its rows.
 */
#ifndef ORRERY_RUNTIME_SPILLS_H
#define ORRERY_RUNTIME_SPILLS_H

#include "runtime/region/region.h"

struct dsm_array;

/* `window`: times, as many as parts fit into memory; `rows_stay`: all rows fit. `views`: several
 * ranks, the loop's arrays, NULL = not cut; NULL: one rank, with copies (local.h). */
struct orrery_spills {
    const struct orrery_state *state;
    struct dsm_array *const *views;
    long window;
    bool rows_stay;
};

/* Where a worker with rows [begin, end) is. Starts as zeros but for these. */
struct orrery_spill_walk {
    long begin, end;       /* set by who walks */
    long window, row, lap; /* of the block that is next to run */
    long clock;            /* of it */
    long time, stop;       /* of its row, and where its row ends in this window */
    bool started;          /* the first step has been taken */
};

/* False: the loop is no rotation over two dims, or all fits, or nothing is spilled. */
bool orrery_spills_choose(const struct orrery_region *region, const struct orrery_state *state,
                          struct orrery_spills *spills);

/* The same of several ranks. They need not choose alike: the windows of
 * all workers together are no more than the slots, so none waits for what comes behind its own. */
bool orrery_spills_share(const struct orrery_region *region, const struct orrery_state *state,
                         struct dsm_array *const *views, struct orrery_spills *spills);

/* The next block, which may have no column; false: that was the last one. */
bool orrery_spill_next(const struct orrery_region *region, struct orrery_spill_walk *walk);

#endif
