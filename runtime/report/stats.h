/* Figures of the run, as they are counted; the clock (summary.h prints them). */
#ifndef ORRERY_RUNTIME_STATS_H
#define ORRERY_RUNTIME_STATS_H

#include "runtime/execute/blocks.h"

#include <stddef.h>
#include <stdint.h>

enum { ORRERY_STARTS = 512, ORRERY_SAMPLES = 15, ORRERY_SERVED_COUNTS = 11 };

/*
 * Of one loop on one rank. Seconds of rank 0's wall clock; pack: of the inspections, what putting
 * records into the order of the blocks took; wait: summed over the workers. `starts`: seconds from
 * the call to the last worker's first step, of the last regions, inspection and the copying of rows
 * (local.c) apart; `paces`: their seconds per pass, without inspection. A region has one or more
 * passes.
 */
struct orrery_loop_stats {
    uint64_t passes, regions, iterations, inspections, deals, trades;
    double seconds, inspect_seconds, pack_seconds, copy_seconds;
    float starts[ORRERY_STARTS], paces[ORRERY_STARTS];
    double wait_seconds;
    struct orrery_blocks blocks;
    size_t packed_bytes, copies_bytes;
};

/* What was run so far of a block that merges cut into phases. */
struct orrery_profile_part {
    double seconds;
    long iterations;
};

/* Served arrays on so many ranks: bytes between them in a pass, bytes that a rank has, and those of
 * a copy of its largest chunk, of which it has one more than workers. */
struct orrery_profile_served {
    int ranks;
    double moved, rank_bytes, chunk_bytes;
};

/*
 * For ORRERY_PROFILE (profile.h). Per block its iterations, and its seconds in the last passes
 * (`samples`, ORRERY_SAMPLES a block, of which `counts` were taken so far; not in the first pass,
 * unless there was one only); `local`: of two threads that copy rows in and back (local.h). `gap`:
 * seconds of serial code between a run and the next; `skewed`: some run had several passes.
 * `clock`: what looking at it twice takes, which is not the block's. `merges` per pass, the seconds
 * of the last passes for them and for the phases between them (`merged` were taken), and the bytes
 * that rows changed and that came of it. Wavefronts: the bytes that the first half of the
 * rows writes and the second reads, and that all write. `parts`: per block. `masks`: of dims whose
 * parts travel, per key, the rows of the grid that touch its row; NULL: not asked. They are of the
 * inspection number `inspections`. `served`: of `nserved` numbers of ranks. `sums`: per array a sum
 * over its bytes when the last region ended, NULL: none has; `changed`: how often it was another
 * one when the next began, of `looks`; `extents`: the bytes of it.
 */
struct orrery_profile {
    long blocks, passes;
    float *samples;
    long *counts, *iterations;
    struct orrery_profile_part *parts;
    double gap, ended, clock, local;
    bool skewed;
    long merges, merged;
    float merge_seconds[ORRERY_SAMPLES], phase_seconds[ORRERY_SAMPLES];
    double merge_sent, merge_back, told, written;
    uint64_t *masks[ORRERY_DIMS], inspections;
    uint64_t *sums;
    long *changed, looks;
    size_t *extents;
    int nserved;
    struct orrery_profile_served served[ORRERY_SERVED_COUNTS];
};

/* Monotonic, in seconds. */
double orrery_clock(void);

/* Medians of stats->starts, and of stats->paces. */
double orrery_median_start(const struct orrery_loop_stats *stats);
double orrery_median_pace(const struct orrery_loop_stats *stats);

#endif
