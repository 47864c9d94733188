/* Several ranks: who gets which rows, records, arrays and globals (docs/runtime.md). */
#ifndef ORRERY_RUNTIME_SHARE_SHARING_H
#define ORRERY_RUNTIME_SHARE_SHARING_H

#include "runtime/region/region.h"

/* Rank 0: runs the region on all ranks, so many passes, an environment for each; every reduction is
 * in the last one's target afterwards, every written array is released to serial code. */
void orrery_sharing_run(struct orrery_state *state, const char *envs, long passes, long count,
                        struct orrery_region *region);

/* Rank 0: the inspection is about to go; so do the arrays and records that were laid out by it. */
void orrery_sharing_forget(struct orrery_state *state);

/* Rank 0, between regions: arrays go home, and records are to be sent anew; the inspection stays. */
void orrery_sharing_scatter(struct orrery_state *state);

/* Rank 0: a run of the loop was given up before the others heard of it. */
void orrery_sharing_doubt(struct orrery_state *state);

/* Ranks other than 0: commands REGION and FORGET. */
void orrery_share_serve_region(const void *payload, size_t bytes);
void orrery_share_serve_forget(const void *payload, size_t bytes);

/* Ranks other than 0: rank 0 asks for bytes of a loop's arrays (for dsm_answer_by). */
void orrery_command_answer(const void *question, size_t bytes);

#endif
