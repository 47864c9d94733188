/*
 * Which rows of the grid which worker of a rank has: consecutive ones, equally many, or
 * (ORRERY_DEBUG=refine=1) as many as took equal time in the region before. Workers decide on no
 * bit: the blocks and their partial order stay as they are.
 */
#ifndef ORRERY_RUNTIME_ASSIGNMENT_H
#define ORRERY_RUNTIME_ASSIGNMENT_H

#include "runtime/threads/workers.h"

struct orrery_region;
struct orrery_state;

/* `cuts`: worker w has the rank's rows [cuts[w], cuts[w + 1]), counted from its first; NULL: shares
 * of equal length. `seconds`: per row, in the region that runs; NULL: not wanted. */
struct orrery_assignment {
    long rows;
    long *cuts;
    double *seconds;
};

static inline long orrery_assignment_begin(const struct orrery_assignment *assignment, long rows,
                                           long worker, long workers) {
    return assignment && assignment->cuts ? assignment->cuts[worker]
                                          : orrery_share(rows, worker, workers);
}

/* Before the region: its assignment, when rows may be assigned anew. After it: what was measured is
 * assigned by.
 */
void orrery_assignment_start(struct orrery_region *region, struct orrery_state *state);
void orrery_assignment_refine(const struct orrery_region *region, struct orrery_state *state);

/*
 * Assigns rows that took these seconds: the slowest worker gets as little as consecutive rows
 * allow, each worker at least one row. Returns the seconds of that worker.
 */
double orrery_assignment_cut(const double *seconds, long rows, int workers, long *cuts);

#endif
