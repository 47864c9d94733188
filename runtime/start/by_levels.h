/*
 * Loops by levels keep the loop's order, so that the loop as it is written has the same result.
 * Where that is at least as fast it runs: where the data leave nothing to run at once (chain.h),
 * and where the parallel run took longer than its iterations did. docs/runtime.md, "Levels".
 */
#ifndef ORRERY_RUNTIME_BY_LEVELS_H
#define ORRERY_RUNTIME_BY_LEVELS_H

#include "runtime/region/region.h"
#include "runtime/start/trial.h"

/* Iterations wait for each other one after another; is said once. Decided by the data alone, so
 * that it is the same with any number of workers; looked at seldom where it was so before. */
bool orrery_levels_in_vain(struct orrery_state *state, const void *env, long count);

/* The first region of such a loop, which shall have one pass, so that more can be as it is written. */
bool orrery_levels_untried(const struct orrery_state *state);

/* A region took so many seconds, without its inspection where that is the loop's first. Where that
 * is no gain its loop is on trial from here on. */
void orrery_levels_doubt(const struct orrery_region *region, double seconds);

/* What decides how so many iterations of the loop run, and is told what they took (trial_choose,
 * trial_record), with `*work`. NULL: they run in parallel, untimed. */
struct trial_class *orrery_levels_trial(struct orrery_loop *loop, long count, double *work);

#endif
