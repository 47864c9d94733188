/*
 * Which rows of the grid which worker of a rank has: consecutive ones, equally many, or
 * (ORRERY_REFINE) as many as took equal time in the region before. Workers decide on no bit: the
 * blocks and their partial order stay as they are.
 */
#ifndef ORRERY_RUNTIME_DEAL_H
#define ORRERY_RUNTIME_DEAL_H

#include "runtime/threads/workers.h"

struct orrery_region;
struct orrery_state;

/* `cuts`: worker w has the rank's rows [cuts[w], cuts[w + 1]), counted from its first; NULL: shares
 * of equal length. `seconds`: per row, in the region that runs; NULL: not wanted. */
struct orrery_deal {
    long rows;
    long *cuts;
    double *seconds;
};

static inline long orrery_deal_begin(const struct orrery_deal *deal, long rows, long worker,
                                     long workers) {
    return deal && deal->cuts ? deal->cuts[worker] : orrery_share(rows, worker, workers);
}

/* Before the region: its deal, when rows may be dealt anew. After it: what was measured is dealt
 * by.
 */
void orrery_deal_start(struct orrery_region *region, struct orrery_state *state);
void orrery_deal_refine(const struct orrery_region *region, struct orrery_state *state);

/*
 * Deals rows that took these seconds: the slowest worker gets as little as consecutive rows allow,
 * each worker at least one row. Returns the seconds of that worker.
 */
double orrery_deal_cut(const double *seconds, long rows, int workers, long *cuts);

#endif
