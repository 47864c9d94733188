/*
 * Index-set splitting: a line whose iterations meet on the two sides of one iteration only is
 * written as loops over the parts of its range. The order of its iterations stays, so any cut is
 * right; this one leaves parts whose iterations do not meet.
 *
 *   a[i] = a[k] + b[i]      [first, k - 1], k, [k + 1, last]: k alone writes what the others read
 *   a[i] = a[n - 1 - i]     [first, (n - 1) / 2], the rest: each half reads what the other writes
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_PARTS_H
#define ORRERY_SCHEDULER_TRANSFORM_PARTS_H

#include "scheduler/transform/front.h"
#include "scheduler/transform/line.h"

/* What stands in front of the loop: it is the loop's other way. False: there is no such cut. */
bool parts_write(const struct line *line, struct writing *w);

/* "the loop runs in parts: it is cut at i = n / 2" */
const char *parts_words(const struct line *line);

#endif
