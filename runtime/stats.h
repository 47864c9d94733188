/* Figures of the run: ORRERY_STATS=1 prints them on stderr when the program ends. */
#ifndef ORRERY_RUNTIME_STATS_H
#define ORRERY_RUNTIME_STATS_H

#include "runtime/blocks.h"

#include <stddef.h>
#include <stdint.h>

enum { ORRERY_STARTS = 512 };

/*
 * Of one loop on one rank. Seconds of rank 0's wall clock; wait: summed over the workers. `starts`:
 * seconds from the call to the last worker's first step, of the last regions, inspection and the
 * copying of rows (local.c) apart.
 */
struct orrery_loop_stats {
    uint64_t passes, iterations, inspections;
    double seconds, inspect_seconds, copy_seconds;
    float starts[ORRERY_STARTS];
    double wait_seconds;
    struct orrery_blocks blocks;
    size_t packed_bytes, copies_bytes;
};

/* Monotonic, in seconds. */
double orrery_clock(void);

/* Collective, at the end of the program: rank 0 prints the summary when it is wanted. */
void orrery_stats_collect(void);

#endif
