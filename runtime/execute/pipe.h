/*
 * Pipelines: the rows of the grid are stages of the loop's body, its columns ranges of iterations.
 * What is an iteration's own travels from stage to stage in slots: memory for as many columns as
 * are under way at once.
 */
#ifndef ORRERY_RUNTIME_PIPE_H
#define ORRERY_RUNTIME_PIPE_H

#include "runtime/region/region.h"

/* The grid of `count` iterations. */
struct orrery_blocks orrery_pipe_blocks(const struct orrery_loop *loop, long count);

/* This rank's slots for the region, which live as long as the state. Nothing in other regions. */
void orrery_pipe_slots(struct orrery_region *region, struct orrery_state *state);

/* The first of this rank's rows that worker `worker` of `workers` has; they are cut so that the one
 * with most to do has as little as can be. */
long orrery_pipe_row_of(const struct orrery_region *region, long worker, long workers);

/* The first iteration of a column's range. */
long orrery_pipe_begin(const struct orrery_region *region, long column);

/* Runs a block: what late groups of its row have to do for ranges before, then its own. */
void orrery_pipe_do(const struct orrery_region *region, const struct orrery_block *block);

#endif
