/* Loops by batches with hot rows: their tables, and the copies around each column. One rank. */
#ifndef ORRERY_RUNTIME_EXECUTE_HOT_H
#define ORRERY_RUNTIME_EXECUTE_HOT_H

#include "runtime/region/region.h"

/* Before a region and behind it. enter(): the environments for the body. */
const char *orrery_hot_enter(struct orrery_region *region, struct orrery_state *state,
                             const char *envs);
void orrery_hot_leave(struct orrery_region *region, const struct orrery_state *state);

/* The copies of a block get the rows' values, before it runs. */
void orrery_hot_load(const struct orrery_hot_run *run, long row, long column);

/* Behind a worker's blocks of a column, of grid rows `begin` to before `end`: when all workers are
 * there it merges its share. `turn`: region->turn and the columns so far. Returns the seconds waited. */
double orrery_hot_merge(struct orrery_region *region, long column, long begin, long end,
                        unsigned turn, int worker);

/* Around a block of the serial text, which changes the rows themselves: they take turns with the
 * copies. Columns that are over are merged first. */
void orrery_hot_before(const struct orrery_region *region, long lap, long row, long column);
void orrery_hot_swap(const struct orrery_hot_run *run, long row, long column);

#endif
