/* One block of a region, for those who say in which order blocks run. */
#ifndef ORRERY_RUNTIME_CLOCKS_H
#define ORRERY_RUNTIME_CLOCKS_H

#include "runtime/region/region.h"

/* Block (row, column) as block() gets it. */
struct orrery_block orrery_block_at(const struct orrery_region *region, long lap, long row,
                                    long column, long clock);

/* Runs it. */
void orrery_block_do(const struct orrery_region *region, const struct orrery_block *block,
                     int worker);

/* Until the flag has counted so far. Returns the seconds waited. */
double orrery_turn_wait(struct orrery_region *region, long flag, unsigned turn, int worker);

#endif
