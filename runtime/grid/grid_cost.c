#include "runtime/grid/grid_cost.h"

#include <string.h>

/*
 * A cache of 1 MiB, lines of 64 bytes; nanoseconds of a block's hand-over, and of a line that is
 * new to a block; how much of that one costs that the block has pushed out. Measured
 * (docs/measurements.md); scheduler/cost/regrid.c predicts by the same numbers.
 */
static const double cache = 1 << 20, line = 64, hand_over = 250, new_line = 2, again = 0.6;

static double least_of(double a, double b) {
    return a < b ? a : b;
}

double orrery_grid_cost(const struct orrery_grid_task *task, const long *parts) {
    double blocks = 1, whole = 0, block = 0, first = 0, each = 0;
    for (int d = 0; d < task->ndims; ++d)
        blocks *= (double)parts[d];
    for (int d = 0; d < task->ndims; ++d) {
        double lines = task->bytes[d] / line, keys = task->keys[d] / (double)parts[d];
        whole += task->keys[d] * task->bytes[d];
        block += keys * task->bytes[d];
        each += lines;
        first += lines * least_of(keys, task->count / blocks);
    }
    double cost = blocks * hand_over;
    if (whole <= cache)
        return cost;
    double spilt = block > cache ? 1 - cache / block : 0;
    return cost + new_line * (blocks * first + again * task->count * each * spilt);
}

static double blocks_of(const struct orrery_grid_task *task, const long *parts) {
    double blocks = 1;
    for (int d = 0; d < task->ndims; ++d)
        blocks *= (double)parts[d];
    return blocks;
}

/* The next choice, like a number whose digits double; false: that was the last. */
static bool advance(const struct orrery_grid_task *task, long *parts) {
    for (int d = task->ndims - 1; d >= 0; --d) {
        if (2 * parts[d] <= task->most[d]) {
            parts[d] *= 2;
            return true;
        }
        parts[d] = task->least[d];
    }
    return false;
}

void orrery_grid_cheapest(const struct orrery_grid_task *task, long *parts) {
    long now[ORRERY_DIMS];
    memcpy(now, task->least, sizeof now);
    memcpy(parts, now, (size_t)task->ndims * sizeof *parts);
    double best = orrery_grid_cost(task, parts);
    while (advance(task, now)) {
        double cost = orrery_grid_cost(task, now);
        bool fewer = blocks_of(task, now) < blocks_of(task, parts);
        if (cost < (fewer ? 1.01 : 0.99) * best) {
            best = cost;
            memcpy(parts, now, (size_t)task->ndims * sizeof *parts);
        }
    }
}
