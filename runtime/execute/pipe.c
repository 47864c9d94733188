#include "runtime/execute/pipe.h"

#include "runtime/execute/grid.h"
#include "runtime/memory.h"

struct orrery_blocks orrery_pipe_blocks(const struct orrery_loop *loop, long count) {
    return orrery_blocks_of_pipe(loop->stages, orrery_grid_pipe(loop, count));
}

void orrery_pipe_slots(struct orrery_region *region, struct orrery_state *state) {
    const struct orrery_blocks *blocks = &region->blocks;
    if (blocks->strategy != ORRERY_PIPELINE)
        return;
    long most = (region->count + blocks->columns - 1) / blocks->columns;
    region->slots_bytes = (size_t)most * region->loop->slot_size;
    size_t room = region->slots_bytes * (size_t)blocks->batons;
    if (state->slots_room < room) {
        orrery_memory_free(state->slots);
        state->slots = orrery_memory_aligned(room);
        state->slots_room = room;
    }
    region->slots = state->slots;
}

/* ---- rows of workers ---------------------------------------------------------------------------
 */

/* With so much for each at most: where the rows of worker `worker` begin; `end` when all are given.
 */
static long row_within(const double *costs, long begin, long end, double most, long worker) {
    long row = begin;
    for (long w = 0; w < worker && row < end; ++w)
        for (double sum = 0; row < end && (sum == 0 || sum + costs[row] <= most); ++row)
            sum += costs[row];
    return row;
}

/* The least of the sums of neighbours that is enough for all rows. */
static double least_enough(const double *costs, long begin, long end, long workers) {
    double least = 0;
    for (long from = begin; from < end; ++from) {
        double sum = 0;
        for (long to = from; to < end; ++to) {
            sum += costs[to];
            bool better = least == 0 || sum < least;
            if (better && row_within(costs, begin, end, sum, workers) == end)
                least = sum;
        }
    }
    return least;
}

long orrery_pipe_row_of(const struct orrery_region *region, long worker, long workers) {
    const double *costs = region->loop->stage_costs;
    long begin = region->row_low, end = region->row_high;
    return row_within(costs, begin, end, least_enough(costs, begin, end, workers), worker);
}
