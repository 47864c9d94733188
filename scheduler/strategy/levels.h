/* What strategies whose iterations list the elements that they touch have in common. */
#ifndef ORRERY_SCHEDULER_STRATEGY_LEVELS_H
#define ORRERY_SCHEDULER_STRATEGY_LEVELS_H

#include "scheduler/strategy/strategy.h"

/* Lists what the plan conflicts through; words: an object that cannot be listed. */
struct plan_violation levels_complete(struct plan *plan);

/* Can two iterations conflict that touch no common element as listed? */
enum linear_answer levels_prove(struct check *check, const struct access *a,
                                const struct access *b);

/* Every iteration names as many rows of its objects, each by a key or by its own number alone. */
bool levels_few(const struct plan *plan);

/* "y or z": the objects through which iterations conflict. */
const char *levels_names(const struct plan *plan);

#endif
