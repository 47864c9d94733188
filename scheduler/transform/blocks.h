/* What begins and ends other ways of a loop that the run chooses between (blocks.c, split.c, nests). */
#ifndef ORRERY_SCHEDULER_BLOCKS_H
#define ORRERY_SCHEDULER_BLOCKS_H

#include "scheduler/transform/front.h"
#include "scheduler/transform/line.h"

/* "if the run's check holds, and the run wants the other way": for all ways whose end is blocks_end. */
void blocks_write_way(const struct line *line, struct writing *w);

/* The same of any nest, around a text that computes nanoseconds from how long `weight` accesses take. */
void blocks_write_begin(struct writing *w, long weight);
void blocks_write_choice(struct writing *w);

/* What stands behind the loop. */
const char *blocks_end(const struct nest *nest);

#endif
