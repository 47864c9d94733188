/* A line's iterations in blocks that are independent of each other, as C. */
#ifndef ORRERY_SCHEDULER_BLOCKS_H
#define ORRERY_SCHEDULER_BLOCKS_H

#include "scheduler/transform/front.h"
#include "scheduler/transform/line.h"

/*
 * What stands in front of the loop: it is the loop's other way. False: a value that a block begins
 * with is the work of all iterations before. requires: line_takes_values.
 */
bool blocks_write(const struct line *line, struct writing *w);

/* "if the run's check holds, and the run wants the other way": for all ways whose end is blocks_end. */
void blocks_write_way(const struct line *line, struct writing *w);

/* The same of any nest, around a text that computes nanoseconds from how long `weight` accesses take. */
void blocks_write_begin(struct writing *w, long weight);
void blocks_write_choice(struct writing *w);

/* What stands behind the loop. */
const char *blocks_end(const struct nest *nest);

/* "what they need of each other is computed in front: `x`, `a[i + 1]`" */
const char *blocks_words(const struct line *line);

#endif
