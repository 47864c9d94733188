/*
 * What the size of blocks costs, and the grid that costs least: a model of a machine that is always
 * the same, so that the data alone decide and every run of them has the same grid.
 */
#ifndef ORRERY_RUNTIME_GRID_COST_H
#define ORRERY_RUNTIME_GRID_COST_H

#include "runtime/orrery_run.h"

#include <stdbool.h>

/*
 * `count` iterations, each of which touches a row of `bytes[d]` bytes of every dim d, of
 * `keys[d]` rows that there are. Dim d may have from least[d] to most[d] parts.
 */
struct orrery_grid_task {
    int ndims;
    double count;
    double keys[ORRERY_DIMS], bytes[ORRERY_DIMS];
    long least[ORRERY_DIMS], most[ORRERY_DIMS];
};

/* Nanoseconds that all workers together need for a pass beside the iterations themselves: every
 * block is handed over, brings in the rows of its keys, and some of them again when they do not fit
 * a cache. */
double orrery_grid_cost(const struct orrery_grid_task *task, const long *parts);

/* The numbers of parts, each least[d] times a power of two and at most most[d], that cost least; of
 * those within a hundredth the fewest blocks. */
void orrery_grid_cheapest(const struct orrery_grid_task *task, long *parts);

#endif
