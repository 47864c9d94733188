/*
 * What a model of the run needs to know (orrery simulate): ORRERY_PROFILE=FILE makes a run on one
 * rank write it, JSON of schema orrery-profile/1. Per loop:
 *   loop, strategy, rows, columns, passes, visits (absent: one), keys and parts per dim; skewed:
 *     passes flowed into each other;
 *   seconds per pass; start_seconds of a region, gap_seconds of serial code between passes,
 *     inspect_seconds once, pack_seconds of ordering records, local_bytes of copies for several
 *     threads;
 *   steps: the blocks by clocks, [row, seconds, iterations, baton ...] (levels: the rows that it
 *     needs, two halves of a set); seconds are medians of the last 15 passes but the first;
 *   batons: bytes of each; baton_messages; touched: [low half, high half of the set, how many],
 *     which rows of the grid touch how many of its rows (absent where batons move whole);
 *   merges per pass with seconds and bytes, phase_seconds between them; served: what served arrays
 *     send and need;
 *   arrays: shared (ranks have parts), written, home_bytes (rank 0 fetches them after a region),
 *     changed_bytes (changed before it); folds;
 *   stage_costs of pipelines; inspected_anew: the share of regions that inspect again.
 */
#ifndef ORRERY_RUNTIME_PROFILE_H
#define ORRERY_RUNTIME_PROFILE_H

#include "runtime/region/region.h"

#include <stdio.h>

/* A run of the loop begins; ends, after so many passes.
 * The calling thread is rank 0's main thread. */
void orrery_profile_begin(struct orrery_state *state, const struct orrery_blocks *blocks);
void orrery_profile_end(struct orrery_state *state, long passes);

/* A block was run, or a part of it: it counts once all of its `iterations` were. Any worker, one at
 * a time per block. */
void orrery_profile_block(const struct orrery_region *region, const struct orrery_block *block,
                          double seconds, long iterations);

/* A pass is over, whose phases, until the last worker was done with each, and whose merges of
 * relaxed and buffered arrays behind them took so many seconds. Rank 0. */
void orrery_profile_merges(const struct orrery_region *region, double phases, double merges);

/*
 * The members of array a (`bytes`) that only matter to several ranks (profile_ranks.c): whether
 * they share it, whether it is written, the bytes that come home to rank 0 after every region,
 * and those that ranks are sent before one because they have changed.
 */
void orrery_profile_ranks(FILE *file, const struct orrery_state *state, int a, double bytes);

/* What serial code, and other loops, change between two regions, which ranks are then sent: after a
 * region has ended, and when the next one begins. The first few are looked at. */
void orrery_profile_changes_look(struct orrery_state *state);
void orrery_profile_changes_count(struct orrery_state *state);

/* At the end of the program: writes the file when it is wanted. */
void orrery_profile_write(void);

/* What served arrays would take on several ranks
 * (runtime/report/profile_served.c), after a region of one. */
void orrery_profile_served_look(struct orrery_state *state, const struct orrery_region *region);

/* The member "touched" of a loop (profile_rows.c), and what it is made of: a region of a loop with
 * keys is about to run in this environment. */
void orrery_profile_rows(FILE *file, const struct orrery_state *state);
void orrery_profile_rows_look(struct orrery_state *state, const void *env);

#endif
