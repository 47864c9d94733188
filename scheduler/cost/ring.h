/* Rows of a rotation on warps that hand batons to each other, event by event. */
#ifndef ORRERY_SCHEDULER_COST_RING_H
#define ORRERY_SCHEDULER_COST_RING_H

#include "scheduler/cost/cost.h"

struct ring {
    const struct cost_loop *loop; /* its blocks */
    long warps;                   /* each has rows of its own */
    double iteration;             /* seconds of one, of a warp that nobody disturbs */
    double before;                /* ... of a warp between two blocks */
    double passing;               /* ... from a block's end to the next one that has its baton */
    double together; /* warps that run as if alone: more share what so many get; 0: any number */
};

/* Seconds of a pass. */
double ring_run(struct arena *arena, const struct ring *ring);

#endif
