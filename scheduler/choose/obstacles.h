/*
 * Everything that keeps a loop serial. Its verdict is one reason of several: where that one is
 * lifted, the next would be said, and so on. Here all of them are asked for at once.
 */
#ifndef ORRERY_SCHEDULER_OBSTACLES_H
#define ORRERY_SCHEDULER_OBSTACLES_H

#include "scheduler/plan/plan.h"

struct plan_obstacle {
    const char *code, *message, *fix; /* fix: NULL: none is known */
    struct range where;
    const struct dependence *culprit; /* NULL: it is none of a dependence */
};

/*
 * Sets plan->obstacles of a serial plan that is not changed any more: the verdict first, then the
 * others, by rank and in the order in which they were found. Of marked loops: where refusals stood
 * in front of the dependences, these are analyzed once more as if the refusals were lifted, within
 * a budget; what comes of that is only said, never used. Local; allocates in the unit's arena.
 */
void plan_find_obstacles(struct plan *plan);

#endif
