/*
 * Floating-point variables that count: `s += 2` in every iteration, beginning with a whole number.
 * While all values are whole numbers that the type holds, no addition rounds, so s0 + 2 * k is the
 * value in iteration k in every bit.
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_EXACT_H
#define ORRERY_SCHEDULER_TRANSFORM_EXACT_H

#include "scheduler/transform/front.h"
#include "scheduler/transform/line.h"

/* What stands in front of the loop: it is the loop's other way. False: its variables do other
 * things, or more keeps its iterations apart. */
bool exact_write(const struct line *line, struct writing *w);

/* "the loop computes what counts from the iteration's number: `s`" */
const char *exact_words(const struct line *line);

#endif
