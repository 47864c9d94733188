/*
 * What a plan will cost, roughly: enough to choose by. Of a loop that was measured (its profile) in
 * seconds; else from what is counted in the text and from assumed sizes, so that only the relation
 * of two plans means something.
 *
 *   candidates (candidates.c) --> estimates (predict.c) --> the least, and why not the others
 */
#ifndef ORRERY_SCHEDULER_CHOOSE_PREDICT_H
#define ORRERY_SCHEDULER_CHOOSE_PREDICT_H

#include "scheduler/plan/predict_parts.h"

/* What is planned for where nobody says: two nodes of four cores, joined by a link as in
 * docs/simulate.md. */
struct cost_cluster plan_cluster(void);

/* requires: plan_place. `measured`: NULL = assumed sizes. */
struct plan_estimate plan_predict(const struct plan *plan, const struct cost_loop *measured,
                                  const struct cost_cluster *cluster);

/* What the estimates assume, in words. */
const char *plan_assumptions(const struct plan *plan, const struct cost_loop *measured,
                             const struct cost_cluster *cluster, bool guessed);

/* ---- candidates.c ---------------------------------------------------------------------------- */

struct candidate {
    struct plan plan;
    struct plan_estimate estimate;
    int group, order; /* proposed by; which of that one's plans */
};

/* `tries`: choices of dims that were looked at;
 * there is a bound on them. `measured`: NULL = nothing. */
struct candidates {
    struct arena *arena;
    const struct cost_loop *measured;
    const struct cost_cluster *cluster;
    int count, ngroups, tries;
    unsigned without; /* a bit for each strategy that is not wanted */
    struct candidate *items;
};

/* Adds the plan with its arrays placed, and the same strategy with every other legal choice of
 * dims; the plan itself comes first. */
void candidates_add(struct candidates *list, const struct plan *plan);

/* Estimates all and puts the one to take first, the others by what they cost. */
void candidates_rank(struct candidates *list);

/* What is not taken, as plan->predicted, rejected, nrejected. */
void candidates_reject(const struct candidates *list, int taken, struct plan *plan);

/* ---- best.c ---------------------------------------------------------------------------------- */

/* Of a plan that was measured as it is: sets plan->best,
 * and the numbers of the grid that nobody has set. */
void plan_choose_grid(struct plan *plan, const struct cost_loop *measured,
                      const struct cost_cluster *cluster);

#endif
