/* What is kept of the loops that have run on this rank (region.h), and whether one may run now. */
#ifndef ORRERY_RUNTIME_STATE_H
#define ORRERY_RUNTIME_STATE_H

#include "runtime/region/region.h"

/* One more state of the loop, behind its last; NULL: its first. */
struct orrery_state *orrery_state_new(struct orrery_loop *loop, struct orrery_state *last);

/* The thread that calls is the one that runs main. */
void orrery_driver_start(void);

/* True while a region runs: the program must not end in an orderly way then. */
bool orrery_region_active(void);

/* The calling thread runs the body of a loop, or belongs to a rank that runs nothing else. */
bool orrery_region_is_inside(void);

/* May this thread start a region now? Only the program's own thread and process may, on rank 0,
 * with no region under way. May be called anywhere. */
bool orrery_may_start(void);

/* "rotation-2d" and so on; of an ordered rotation what its last run was. */
const char *orrery_strategy_of(const struct orrery_loop *loop);

/* A region begins. */
void orrery_region_enter(void);

/* Says that the loop runs serially, to who asked for it;
 * so is told who asks where the time went. Returns 1. */
int orrery_fall_back(const struct orrery_loop *loop, const char *text);

#endif
