/*
 * Wavefronts: a loop in its own order whose iterations depend on earlier ones at the same position
 * or before it. A row of the grid is a range of iterations, a column a range of positions; a row is
 * never ahead of the one before it. Worker w has every row whose number is w modulo the workers.
 */
#ifndef ORRERY_RUNTIME_WAVE_H
#define ORRERY_RUNTIME_WAVE_H

#include "runtime/region/region.h"

/* The grid of `count` iterations. */
struct orrery_blocks orrery_wave_blocks(const struct orrery_loop *loop, const void *env, long count,
                                        struct orrery_wave *wave);

/* The columns in which the row has something to do: [first, end). */
struct orrery_wave_row {
    long first, end;
};

struct orrery_wave_row orrery_wave_row_of(const struct orrery_region *region, long row);

/*
 * Sets the positions of a block of the row. The row's first and last block have no bound on the
 * side where nothing is.
 */
void orrery_wave_bounds(const struct orrery_region *region, const struct orrery_wave_row *columns,
                        struct orrery_block *block);

#endif
