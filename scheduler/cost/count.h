/* What statements cost, counted in their text: roughly, and the same everywhere. */
#ifndef ORRERY_SCHEDULER_COST_COUNT_H
#define ORRERY_SCHEDULER_COST_COUNT_H

#include "analyzer/analyzer.h"

/* Nanoseconds of a plain core for an operation or an access. */
#define COST_OPERATION 0.4

/*
 * Nanoseconds of the statement, with the loops in it and the functions that it calls. A loop of
 * which no one knows how long it is has `unknown_trips` steps. Of two branches both count.
 */
double cost_count(const struct stmt *stmt, double unknown_trips);

/* The same of its own expressions only: no branch, no loop, no statement inside of it. */
double cost_count_own(const struct stmt *stmt, double unknown_trips);

/* Steps of the loop: known from its header, or `unknown_trips`. */
double cost_count_trips(const struct loop *loop, double unknown_trips);

#endif
