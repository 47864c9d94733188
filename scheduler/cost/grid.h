/*
 * The blocks of a grid by their parts: which there are, what each of them needs and when its row
 * comes to it. The model's own reading of docs/runtime.md, "Clocks".
 */
#ifndef ORRERY_SCHEDULER_COST_GRID_H
#define ORRERY_SCHEDULER_COST_GRID_H

#include "scheduler/cost/cost.h"

/* As the numbers of a step's batons: one per dim that travels, two of a pair. */
enum { GRID_KEYS = COST_DIMS + 1 };

/*
 * `pairs`: a tournament, whose dim 0 has twice as many parts as the grid has rows, and all of them
 * travel; its blocks' rounds are the slowest part of their columns. `ordered`: rows come to their
 * columns in turn. Part p of dim d is baton first[d] + p, -1: it stays with its row. A dim with
 * fewer parts than rows has empty `slots`.
 */
struct cost_grid {
    bool pairs, ordered;
    int ndims;
    long parts[COST_DIMS], first[COST_DIMS], slots[COST_DIMS];
    long rows, columns, clocks, batons;
};

/* Of the loop's strategy, with these parts. */
struct cost_grid cost_grid_of(const struct cost_loop *loop, const long *parts);

/* The column of a row at a clock, -1: none. */
long cost_grid_column(const struct cost_grid *grid, long row, long clock);

/* The batons of a block; how many. */
int cost_grid_batons(const struct cost_grid *grid, long row, long column, long *batons);

/* The block of iterations whose keys are in these parts, row * columns + column: one part per dim,
 * of pairs two of dim 0. */
long cost_grid_block(const struct cost_grid *grid, const long *parts);

/* The parts that a measured step's batons stand for, as cost_grid_block has them. */
void cost_grid_parts(const struct cost_grid *grid, const struct cost_step *step, long *parts);

#endif
