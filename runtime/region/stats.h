/* Figures of the run, as they are counted; the clock (summary.h prints them). */
#ifndef ORRERY_RUNTIME_STATS_H
#define ORRERY_RUNTIME_STATS_H

#include "runtime/schedule/blocks.h"

#include <stddef.h>
#include <stdint.h>

enum { ORRERY_STARTS = 512, ORRERY_SAMPLES = 15, ORRERY_SERVED_COUNTS = 11 };

/* Of one loop on one rank, all its states. Seconds of rank 0's wall clock. */
struct orrery_loop_stats {
    uint64_t passes, regions, iterations; /* a region has one or more passes */
    uint64_t calls;                       /* executions, serial ones too, of a run that verifies */
    uint64_t inspections, trades;         /* made; done where the data are */
    uint64_t checks;                      /* of values and addresses that had changed */
    double seconds;                       /* of regions, inspection included */
    double inspect_seconds;               /* of it, inspection */
    double pack_seconds;                  /* of that, putting records into the order of blocks */
    double copy_seconds;                  /* of rows in and back (local.c) */
    float starts[ORRERY_STARTS]; /* of the last regions: from the call to the last worker's first
                                  * step, without inspection and copying */
    float paces[ORRERY_STARTS];  /* their seconds per pass, without inspection */
    double wait_seconds;         /* summed over the workers */
    struct orrery_blocks blocks; /* of the last region */
    /* of records in the order of blocks; of copies of reductions */
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

/* Of one state, for ORRERY_PROFILE (profile.h). */
struct orrery_profile {
    long blocks, passes; /* that ran */
    float *samples; /* per block its seconds in the last passes, ORRERY_SAMPLES of them; not in the
                     * first pass, unless there was one only */
    long *counts;   /* ... that were taken so far */
    long *iterations;                  /* per block */
    struct orrery_profile_part *parts; /* per block, of the pass that runs */
    double gap, ended;   /* seconds of serial code between runs; when the last run ended */
    double clock;        /* seconds that looking at it twice takes, which is not the block's */
    bool skewed;         /* some run had several passes */
    long merges, merged; /* in a pass; taken so far */
    float merge_seconds[ORRERY_SAMPLES], phase_seconds[ORRERY_SAMPLES]; /* per pass: of merges, and
                                                                         * of what is between */
    double merge_sent, merge_back; /* bytes that rows changed, and that came of it */
    double told, written; /* wavefronts: bytes that the first half of the rows writes and the second
                           * reads; that all write */
    uint64_t *masks[ORRERY_DIMS]; /* of dims whose parts travel, per key: the rows of the grid that
                                   * touch its row; NULL: not asked */
    uint64_t inspections;         /* the inspection that they are of */
    uint64_t *sums;       /* per array over its bytes when the last region ended; NULL: none has */
    long *changed, looks; /* per array how often it was another when the next began, of how many */
    size_t *extents;      /* per array: its bytes */
    int nserved;          /* of `served` */
    struct orrery_profile_served served[ORRERY_SERVED_COUNTS]; /* by numbers of ranks */
};

/* Of the last of `count` values, at most `most` of them, which is at most ORRERY_STARTS. */
double orrery_median(const float *values, uint64_t count, size_t most);

#endif
