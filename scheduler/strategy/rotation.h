/* What rotations over two and over more keys have in common. */
#ifndef ORRERY_SCHEDULER_STRATEGY_ROTATION_H
#define ORRERY_SCHEDULER_STRATEGY_ROTATION_H

#include "scheduler/strategy/strategy.h"

/* The plan goes by these keys: the heaviest stays, and the others move the less often the heavier
 * they are. */
void rotation_set(struct plan *plan, int ndims, int *dims);

/* "parallel by rotation: ..." */
const char *rotation_words(const struct plan *plan);

#endif
