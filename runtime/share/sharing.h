/* Several ranks: who gets which rows, records, arrays and globals (docs/runtime.md). */
#ifndef ORRERY_RUNTIME_SHARE_SHARING_H
#define ORRERY_RUNTIME_SHARE_SHARING_H

#include "runtime/region.h"

/* Rank 0: runs the region on all ranks, so many passes, an environment for each; every reduction is
 * in the last one's target afterwards, every written array is released to serial code. */
void orrery_sharing_run(struct orrery_state *state, const char *envs, long passes, long count,
                        struct orrery_region *region);

/* Rank 0: the inspection is about to go; so do the arrays and records that were laid out by it. */
void orrery_sharing_forget(struct orrery_state *state);

/* Rank 0: a run of the loop was given up before the others heard of it. */
void orrery_sharing_doubt(struct orrery_state *state);

/* Rank 0: the home copy of array a of the loop is valid now (for verify). */
void orrery_sharing_collect(struct orrery_state *state, int a);

/* Torture: a block of the region begins, or has ended; what it touches is there meanwhile. */
void orrery_share_block(const struct orrery_region *region, long row, long column, bool begins);

#endif
