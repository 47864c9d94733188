/* How long a nest may take at most, from the sizes of the arrays that it goes through. */
#ifndef ORRERY_SCHEDULER_BOUND_H
#define ORRERY_SCHEDULER_BOUND_H

#include "scheduler/transform/nest.h"

/*
 * Iterations of the nest's deepest statement: no more in a program that stays inside of its arrays.
 * HUGE_VAL: not known. A guess of what pays, not a fact to prove anything from.
 */
double nest_most_iterations(const struct nest *nest);

/* The same of one loop. */
double loop_most_iterations(const struct loop_facts *facts);

#endif
